import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { catalogue } from '../../../scenarios/index.js';
import { readPlays } from '../../../scripts/plays/store.mjs';
import { faultIn } from '../../../src/analyze/fault/assign.js';
import { attemptFinishedSchema, plannedSchema } from '../../../src/domain/attempt.js';
import { analysis } from '../../../src/harness/analysis.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { allChecks, judge } from '../../../src/run/attempt/judge.js';
import { journal } from '../../report/support/journal.js';
import { expectGolden } from '../../support/golden.js';

/* Attempts that really took place, with what the agent did and whose fault the failure is, as whoever played knows it. */

const playSchema = z.object({
  name: z.string(),
  did: z.string(),
  fault: z.enum(['none', 'agent', 'service', 'target']),
  planned: plannedSchema,
  attempt: attemptFinishedSchema,
});
type Play = z.infer<typeof playSchema>;

const FILES = readPlays(fileURLToPath(new URL('plays', import.meta.url)));
/** The real Ralph 2.10.1 in the live lane, with somebody who plays the model, behind Claude Code or in its place. */
const LIVE = playsIn('live.jsonl');
/** A Ralph with a fault and an agent that does what it is asked. */
const BROKEN = playsIn('target.jsonl');

function playsIn(name: string): Play[] {
  return z.array(playSchema).parse(FILES.get(name) ?? []);
}

const TARGET = { kind: 'real', path: '/opt/ralph', version: '2.10.1' } as const;
const JUDGED_AS = { none: 'nobody', agent: 'agent', service: 'infrastructure', target: 'target' } as const;

/** Whom a diagnosis may blame, by whose fault it is. */
const BLAMED: Readonly<Record<string, readonly string[]>> = {
  nobody: ['–'],
  agent: ['agent'],
  infrastructure: ['infrastructure', 'authentication', 'quota'],
  // A doubt is the target's too: a model without a login or a quota may be the cause, and a slow one of a loop without end.
  target: ['target', 'harness', 'authentication', 'quota', 'unknown'],
};

/** Whose fault a play is and whom its diagnosis blames, as in the live lane. */
function judgePlay({ planned, attempt }: Play): { whose: string; blames: string } {
  if (attempt.outcome !== 'failed') return { whose: 'nobody', blames: '–' };
  const { checks, evidence } = attempt;
  if (evidence === null) throw new Error('a play has evidence');
  const excused = planned.knownIssue?.breaks ?? [];
  const fault = faultIn({ lane: 'live', isReplay: false }, { checks, evidence, excused });
  const records = journal({
    run: { target: TARGET },
    tests: [{ ...planned, attempts: [{ ...attempt, evidence, fault }] }],
  });
  const [result] = buildReport(records, analysis).results;
  return { whose: fault.whose, blames: result?.diagnosis?.blames ?? '–' };
}

/** Each play in a row: whose fault it is, who is called at fault, and whom the diagnosis on the same page blames. */
function tabulate(plays: readonly Play[]): string {
  const rows = plays.map((play) => ({ play, fault: JUDGED_AS[play.fault], ...judgePlay(play) }));
  const right = rows.filter(({ fault, whose }) => fault === whose).length;
  return [
    `${right} of ${rows.length} right`,
    '',
    '| play | fault of | called | diagnosis blames | |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ play, fault, whose, blames }) =>
        `| ${play.name} | ${fault} | ${whose} | ${blames} | ${fault === whose ? '' : 'wrong'} |`,
    ),
    '',
  ].join('\n');
}

describe('whose fault a live play is', () => {
  it.each(['none', 'service', 'agent'] as const)('of %s', (fault) => {
    const plays = LIVE.filter((play) => play.fault === fault);
    expectGolden(new URL(`plays/${fault}.md`, import.meta.url), tabulate(plays));
  });
});

it('an agent that does what it is asked is never called at fault', () => {
  expect(BROKEN.filter((play) => judgePlay(play).whose !== 'target').map(({ name }) => name)).toEqual([]);
  expectGolden(new URL('plays/target.md', import.meta.url), tabulate(BROKEN));
});

it('the diagnosis of a play blames whoever is at fault', () => {
  const contradictions = [...LIVE, ...BROKEN]
    .map((play) => ({ name: play.name, ...judgePlay(play) }))
    .filter(({ whose, blames }) => !BLAMED[whose]?.includes(blames));
  expect(contradictions).toEqual([]);
});

test.each(LIVE.filter(({ fault }) => fault === 'none'))(
  '$name: passes the checks of today',
  ({ planned, attempt }) => {
    const scenario = catalogue.find(({ id }) => id === planned.scenarioId);
    const { evidence, drawn, backend } = attempt;
    if (scenario === undefined || evidence === null || drawn === undefined)
      throw new Error('the play is outdated: remove it');
    const context = { ...drawn, backend, lane: 'live' } as const;
    const { outcome, checks } = judge(scenario, allChecks(scenario, context), evidence, {
      target: TARGET,
      lane: 'live',
    });
    const broken = checks.filter(({ passed }) => !passed).map(({ name }) => `${name}`);
    expect(
      outcome,
      `${broken.join('; ')}. If the scenario asks for something else now, remove the play`,
    ).toBe(attempt.outcome);
  },
);
