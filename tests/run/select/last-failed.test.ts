import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Target } from '../../../src/domain/attempt.js';
import { conversation } from '../../../src/domain/scenario/scenario.js';
import { openJournal } from '../../../src/journal/writer.js';
import {
  describeLastFailed,
  findLastFailed,
  findOpenTests,
  NothingFailed,
  type PastRun,
  type PastState,
} from '../../../src/run/select/last-failed.js';
import { createRunDir } from '../../../src/workspace/runs/runs.js';
import { openWorkspaceRoot } from '../../../src/workspace/workspace-root.js';
import { journal } from '../../report/support/journal.js';
import { tempFolder } from '../../support/cli.js';

const STAND_IN = { kind: 'stand-in', path: '/standin/ralph', version: '2.10.1' } as const;

const define = (id: string, change: Partial<Parameters<typeof conversation>[0]> = {}) =>
  conversation({
    ...{ id, tier: 8, priority: 'must', phase: 'green', description: '', covers: [] },
    arrange: () => ({ turns: [] }),
    expect: () => [],
    agent: [],
    ...change,
  });

test('takes what failed and what was skipped, but not what can never run in this lane or on the stand-in', async () => {
  const root = await openWorkspaceRoot(join(tempFolder(), 'e2e'));
  const writer = openJournal(await createRunDir(root));
  const events = journal({
    run: { lane: 'sim', target: STAND_IN },
    tests: [
      { scenarioId: 'fine', attempts: [{}] },
      { scenarioId: 'broken', attempts: [{ outcome: 'failed', checks: [{ passed: false }] }] },
      { scenarioId: 'not-ready', skipped: 'needs sh, which is not on PATH' },
      { scenarioId: 'beyond', skipped: 'needs a real ralph' },
      { scenarioId: 'unplayable', skipped: 'it has a server' },
    ],
  });
  for (const event of events) writer.append(event);
  await writer.close();
  const scenarios = [
    ...['fine', 'broken', 'not-ready'].map((id) => define(id)),
    define('beyond', { beyondStandIn: 'waves' }),
    define('unplayable', { unplayable: { sim: 'it has a server' } }),
  ];
  const candidates = scenarios.map((scenario) => ({ scenario, backend: 'claude' as const }));
  const { open } = await findLastFailed(root, { lane: 'sim', target: STAND_IN, candidates });
  expect([...open.keys()]).toEqual(['broken on claude', 'not-ready on claude']);
});

const STANDINGS: Record<string, PastState> = {
  '+': 'passed',
  '-': 'failed',
  '~': 'inconclusive',
  '?': 'not-run',
};

/** `a+ b- c?`: tests and how they ended. Runs are numbered from 1. */
function runs(...lines: string[]): PastRun[] {
  return lines.map((line, index) => ({
    runId: `run-${index + 1}`,
    tests: line.split(' ').map((word) => {
      const standing = STANDINGS[word.slice(-1)] ?? 'not-run';
      return { key: word.slice(0, -1), standing };
    }),
  }));
}

const open = (...lines: string[]) =>
  [...findOpenTests(runs(...lines))].map(([key, { runId, standing }]) => `${key} ${standing} ${runId}`);

describe('what is open', () => {
  it.each<[string, string[], string[]]>([
    ['what was inconclusive', ['a+ b~'], ['b inconclusive run-1']],
    ['a failure, although its re-run was inconclusive', ['a- b+', 'a~'], ['a failed run-1']],
    ['what failed and what did not run', ['a+ b- c?'], ['b failed run-1', 'c not-run run-1']],
    [
      'not what a re-run passed, and still the rest',
      ['a- b- c-', 'b+'],
      ['a failed run-1', 'c failed run-1'],
    ],
    ['still what a re-run failed again, in that run', ['a- b-', 'b-'], ['a failed run-1', 'b failed run-2']],
    ['what only a re-run failed', ['a+ b-', 'a-'], ['a failed run-2', 'b failed run-1']],
    [
      'a failure that a broken-off re-run did not come to',
      ['a- b-', 'a?'],
      ['a failed run-1', 'b failed run-1'],
    ],
    ['what a broken-off re-run left out', ['a+ b-', 'a?'], ['a not-run run-2', 'b failed run-1']],
    ['after re-runs of re-runs', ['a- b- c-', 'a- b+', 'a+'], ['c failed run-1']],
    ['nothing of before the same tests ran again', ['a- b-', 'a+ b+'], []],
    ['nothing of before a wider run', ['a- b-', 'b-', 'a+ b+ c-'], ['c failed run-3']],
    [
      'what failed before a run of other tests',
      ['a- b-', 'c+ d-'],
      ['a failed run-1', 'b failed run-1', 'd failed run-2'],
    ],
    ['an interrupted run, though parts of it ran later', ['a? b? c?', 'a+', 'b+'], ['c not-run run-1']],
  ])('is %s', (_name, lines, expected) => {
    expect(open(...lines).sort()).toEqual(expected.sort());
  });
});

test('what was chosen is counted for each run, oldest first', () => {
  const open = findOpenTests(
    ['a- b- c? d-', 'b-'].flatMap((line, index) =>
      runs(line).map((run) => ({
        runId: `run-${index + 1}`,
        tests: run.tests.map((one) => ({ ...one, key: `${one.key} on claude` })),
      })),
    ),
  );
  const selected = ['b', 'a', 'c', 'd'].map((id) => ({ scenario: define(id), backend: 'claude' as const }));
  expect(describeLastFailed({ open, unreadable: [] }, selected).runs).toEqual([
    { runId: 'run-1', failed: 2, inconclusive: 0, notRun: 1 },
    { runId: 'run-2', failed: 1, inconclusive: 0, notRun: 0 },
  ]);
});

test('a repeated test that lacks repeats did not pass, and a flaky one did', async () => {
  const root = await openWorkspaceRoot(join(tempFolder(), 'e2e'));
  const writer = openJournal(await createRunDir(root));
  const attempt = { repeat: 1 };
  const events = journal({
    run: { lane: 'live', target: STAND_IN, repeat: { times: 2, threshold: 0.5 } },
    tests: [
      { scenarioId: 'short', attempts: [attempt] },
      { scenarioId: 'whole', attempts: [attempt, { repeat: 2 }] },
      {
        scenarioId: 'enough',
        attempts: [{ repeat: 1, outcome: 'failed', checks: [{ passed: false }] }, { repeat: 2 }],
      },
    ],
  });
  for (const event of events) writer.append(event);
  await writer.close();
  const candidates = ['short', 'whole', 'enough'].map((id) => ({
    scenario: define(id),
    backend: 'claude' as const,
  }));
  const { open } = await findLastFailed(root, { lane: 'live', target: STAND_IN, candidates });
  expect([...open]).toEqual([['short on claude', expect.objectContaining({ standing: 'not-run' })]]);
});

describe('if nothing failed here', () => {
  const BEFORE = { kind: 'real', path: '/old/ralph', version: '2.10.1' } as const;
  const NOW = { kind: 'real', path: '/new/ralph', version: '2.10.1' } as const;
  const FAILED = { outcome: 'failed', checks: [{ passed: false }] } as const;

  async function findAfter(...stories: Parameters<typeof journal>[0][]) {
    const root = await openWorkspaceRoot(join(tempFolder(), 'e2e'));
    for (const story of stories) {
      const writer = openJournal(await createRunDir(root));
      for (const event of journal(story)) writer.append(event);
      await writer.close();
    }
    const candidates = [{ scenario: define('one'), backend: 'claude' as const }];
    return findLastFailed(root, { lane: 'sim', target: NOW, candidates });
  }
  const on = (target: Target, failed: boolean, lane: 'sim' | 'live' = 'sim', scenarioId = 'one') => ({
    run: { lane, target },
    tests: [{ scenarioId, attempts: [failed ? FAILED : {}] }],
  });

  it.each([
    ['another Ralph', [on(BEFORE, true)], 'in the sim lane on /old/ralph', '--ralph /old/ralph'],
    [
      'another lane',
      [on(NOW, false), on(NOW, true, 'live')],
      'in the live lane on /new/ralph',
      '--lane live',
    ],
    [
      'another Ralph in another lane',
      [on(BEFORE, true, 'live')],
      'in the live lane on /old/ralph',
      '--lane live --ralph /old/ralph',
    ],
  ])('what failed on %s is named with its options', async (_, stories, place, options) => {
    await expect(findAfter(...stories)).rejects.toMatchObject({
      message: expect.stringContaining(`one failed ${place} (run `),
      hint: expect.stringContaining(`put \`${options}\` in place`),
    });
    await expect(findAfter(...stories)).rejects.not.toBeInstanceOf(NothingFailed);
  });

  it('a failure elsewhere does not count if it was asked for by a fault, or if this call cannot run the test', async () => {
    const faulty = on({ ...BEFORE, faults: ['lose-events'] }, true);
    for (const story of [faulty, on(BEFORE, true, 'sim', 'another')])
      await expect(findAfter(on(NOW, false), story)).rejects.toBeInstanceOf(NothingFailed);
  });

  it('a failure elsewhere is over once the test passed here', async () => {
    await expect(findAfter(on(BEFORE, true), on(NOW, false))).rejects.toBeInstanceOf(NothingFailed);
  });

  it('runs elsewhere are counted, whatever they tested', async () => {
    const message = expect.stringContaining('found only 1 in another lane or on another Ralph');
    await expect(findAfter(on(BEFORE, false, 'sim', 'another'))).rejects.toMatchObject({ message });
  });

  it('nor anywhere else, there is nothing to run', async () => {
    await expect(findAfter(on(NOW, false), on(BEFORE, true), on(BEFORE, false))).rejects.toBeInstanceOf(
      NothingFailed,
    );
  });
});
