import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findDifferences } from './compare.js';
import { CORPUS } from './corpus/index.js';
import { FAULT_EFFECTS } from './faults.js';
import type { Observation } from './observe.js';
import { runCase } from './run-case.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));
/** Far more than a healthy run takes. */
const ENDLESS_MS = 4000;

describe('faults of the stand-in', () => {
  test('each one has its effect written down, and no effect is of a fault that is gone', () => {
    const known = execFileSync(STAND_IN, ['--faults'], { encoding: 'utf8' }).matchAll(/^([\w-]+): ./gm);
    expect(Object.keys(FAULT_EFFECTS).sort()).toEqual([...known].map((match) => match[1]).sort());
  });

  const rows = Object.entries(FAULT_EFFECTS).map(([fault, effect]) => ({ fault, ...effect }));

  test.concurrent.each(rows)('$fault changes what it concerns', async (row) => {
    for (const name of row.changes) {
      const broken = await runFaulty(name, row.fault, row.endless ? ENDLESS_MS : undefined);
      const changed = listChanges(await runHealthy(name), broken);
      if (row.elsewhere) expect(changed, name).toEqual(expect.arrayContaining([...row.shows]));
      else expect(changed, name).toEqual([...row.shows].sort());
      if (row.endless) expect(broken.exit, name).toEqual(['still running']);
    }
  });

  test.concurrent.each(rows)('$fault leaves alone what it does not concern', async ({ fault, leaves }) => {
    for (const name of leaves)
      expect(findDifferences(await runHealthy(name), await runFaulty(name, fault)), name).toEqual([]);
  });
});

/** The fields that differ, all prompts as one. */
function listChanges(healthy: Observation, broken: Observation): readonly string[] {
  const fields = findDifferences(healthy, broken).map(({ field }) => field.replace(/^prompt \d+$/, 'prompt'));
  return [...new Set(fields)].sort();
}

const healthy = new Map<string, Promise<Observation>>();

function runHealthy(name: string): Promise<Observation> {
  const known = healthy.get(name);
  if (known !== undefined) return known;
  const started = runStandIn(name, {});
  healthy.set(name, started);
  return started;
}

function runFaulty(name: string, fault: string, timeoutMs?: number): Promise<Observation> {
  return runStandIn(name, { RALPH_STANDIN_FAULT: fault }, timeoutMs);
}

function runStandIn(
  name: string,
  env: Readonly<Record<string, string>>,
  timeoutMs?: number,
): Promise<Observation> {
  const testCase = CORPUS.find((candidate) => candidate.name === name);
  if (testCase === undefined) throw new Error(`expected the case '${name}' in the corpus, found none`);
  return runCase(testCase, {
    ralph: STAND_IN,
    env: { RALPH_STANDIN_TIME_SCALE: '0.01', ...env },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}
