import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { DifferentialCase } from './case.js';
import { findDifferences } from './compare.js';
import { CORPUS } from './corpus/index.js';
import { FAULT_EFFECTS } from './faults.js';
import type { Observation } from './observe.js';
import { readRecorded } from './recorded.js';
import { runCase } from './run-case.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

describe('faults of the stand-in', () => {
  test('each one has its effect written down, and no effect is of a fault that is gone', () => {
    const known = execFileSync(STAND_IN, ['--faults'], { encoding: 'utf8' }).matchAll(/^([\w-]+): ./gm);
    expect(Object.keys(FAULT_EFFECTS).sort()).toEqual([...known].map((match) => match[1]).sort());
  });

  const rows = Object.entries(FAULT_EFFECTS).map(([fault, effect]) => ({ fault, ...effect }));

  test.concurrent.each(rows)('$fault changes what it concerns', async (row) => {
    for (const name of row.changes) {
      const testCase = findCase(name);
      const broken = await runFaulty(testCase, row.fault, row.endless);
      const changed = listChanges(readRecorded(testCase), broken);
      if (row.elsewhere) expect(changed, name).toEqual(expect.arrayContaining([...row.shows]));
      else expect(changed, name).toEqual([...row.shows].sort());
      if (row.endless !== undefined) expect(broken.exit, name).toEqual(['still running']);
    }
  });

  // All that must leave a case alone at the same time: one run for each case, not one for each fault in it.
  test.concurrent.each(listNeighbours())(
    '$name is changed by no fault that does not concern it',
    async ({ name, faults }) => {
      const testCase = findCase(name);
      const changedBy = async (...some: readonly string[]) =>
        findDifferences(readRecorded(testCase), await runFaulty(testCase, some.join(',')));
      const changes = await changedBy(...faults);
      if (changes.length === 0) return;
      const culprits: string[] = [];
      for (const fault of faults) if ((await changedBy(fault)).length > 0) culprits.push(fault);
      const who = culprits.join(', ') || 'all of them together, by none alone';
      expect.fail(`changed by ${who}: ${JSON.stringify(changes)}`);
    },
  );
});

/** Each case that some faults do not concern, with these faults. */
function listNeighbours(): readonly { readonly name: string; readonly faults: readonly string[] }[] {
  const names = new Set(Object.values(FAULT_EFFECTS).flatMap(({ leaves }) => leaves));
  return [...names].map((name) => ({
    name,
    faults: Object.entries(FAULT_EFFECTS).flatMap(([fault, { leaves }]) =>
      leaves.includes(name) ? [fault] : [],
    ),
  }));
}

/** The fields that differ, all prompts as one. */
function listChanges(recorded: Observation, broken: Observation): readonly string[] {
  const fields = findDifferences(recorded, broken).map(({ field }) =>
    field.replace(/^prompt \d+$/, 'prompt'),
  );
  return [...new Set(fields)].sort();
}

function runFaulty(testCase: DifferentialCase, fault: string, timeoutMs?: number): Promise<Observation> {
  return runCase(timeoutMs === undefined ? testCase : tireAgent(testCase), {
    ralph: STAND_IN,
    env: { RALPH_STANDIN_FAULT: fault },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

function findCase(name: string): DifferentialCase {
  const found = CORPUS.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`expected the case '${name}' in the corpus, found none`);
  return found;
}

/** A loop without end would keep the machine busy until it is ended: after more calls than any limit its agent sleeps. */
function tireAgent(testCase: DifferentialCase): DifferentialCase {
  const [turns, last] = [testCase.agent ?? [[]], testCase.agent?.at(-1) ?? []];
  const repeated = Array.from({ length: Math.max(0, 12 - turns.length) }, () => last);
  return { ...testCase, agent: [...turns, ...repeated, ['exec sleep 60']] };
}
