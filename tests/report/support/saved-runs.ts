import { eventEmitted, fileContains, promptContained } from '../../../src/authoring.js';
import type { Fault } from '../../../src/domain/fault.js';
import type { JournalEvent } from '../../../src/domain/journal.js';
import { type AttemptFields, broken, iteration, journal, type RunStory, readiness } from './journal.js';

type Test = RunStory['tests'][number];
type Run = NonNullable<RunStory['run']>;

const AT = '2026-01-20T14:30:00.000Z';
const STAND_IN = { kind: 'stand-in', path: '/dist/ralph', version: '2.10.1' } as const;
const KNOWN = {
  upTo: '2.10.1',
  reason: 'Ralph forgets',
  link: 'l',
  breaks: ['completed'],
  shows: { completed: '/./' },
};
const SHARD = (index: number, total: number, plan: number): Run => ({
  shard: {
    ...{ index, total },
    plan: Array.from({ length: plan }, (_, at) => ({
      ...{ scenarioId: `other-${at}`, backend: 'claude' as const },
    })),
  },
});
const NO_KIRO = readiness({ backend: 'kiro', ready: false, available: false, reason: 'not on PATH' });
const BUDGET: Run = {
  budget: {
    estimate: { tests: 2, calls: 2, tokens: 1_000, usd: 1, seconds: 60, measured: 0, unpriced: [] },
    maxUsd: 0.5,
  },
};

const failed = (fault?: Fault, fields: AttemptFields = {}): AttemptFields => ({
  ...{ outcome: 'failed', checks: [{ passed: false, actual: 'max_iterations' }] },
  ...(fault === undefined ? {} : { fault }),
  ...fields,
});
const PASS: AttemptFields = { checks: [{}] };
const TARGET = failed({ whose: 'target', because: ['the prompt lacks the event'] });
const AGENT = failed({ whose: 'agent', because: ['no tool call wrote it'] });
const SERVICE = failed({ whose: 'infrastructure', because: ['529 Overloaded'], trouble: 'overload' });
const DIVERGED = failed({ whose: 'recording', because: ['iteration 2 was sent something else'] });
const ERROR: AttemptFields = { outcome: 'error', evidence: null, error: 'ENOSPC: no space left' };
const CTRL_C: AttemptFields = { outcome: 'error', evidence: null, error: 'ended', interrupted: true };
const TIMEOUT = failed(undefined, {
  evidence: { exit: { kind: 'timed-out', afterSeconds: 300 }, termination: null },
});
const CRASHED = failed(undefined, {
  evidence: { exit: { kind: 'exited', code: 101 }, termination: null, iterations: [] },
});
const BACKEND = failed(undefined, { evidence: { backendErrors: ['overloaded_error'] } });
const NO_EVENT = failed(undefined, { checks: [broken(eventEmitted('build.done'))] });
const NO_FILE = failed(undefined, { checks: [broken(fileContains('a.txt', 'a'))] });
const NO_WORD = failed(undefined, {
  checks: [broken(promptContained('Greet', { iteration: 2 }))],
  evidence: { iterations: [1, 2].map((number) => iteration({ number })) },
});

/** One letter for each repeat of a test: passed, Ralph, agent, service, error, known issue. */
const LETTERS: Readonly<Record<string, AttemptFields>> = {
  ...{ p: PASS, r: TARGET, a: AGENT, s: SERVICE, e: ERROR },
  k: { ...failed(), outcome: 'known-issue' },
};

interface Repeated {
  readonly ends: string;
  readonly threshold?: number;
  /** Default: as many as there are ends. */
  readonly times?: number;
  readonly lane?: 'live' | 'sim';
}

/** Runs of one test that is repeated. */
const REPEATED: readonly Repeated[] = [
  ...['pppp', 'pprpp', 'ppapp', 'ppsp', 'ppep', 'ps', 'kee', 'kkpk'].map((ends) => ({ ends })),
  ...['pppppppppp', 'pppprppppp', 'ppppappppp', 'pprpprpppp', 'ppappapppp', 'sppppppppp', 'kkkk'].map(
    (ends) => ({ ends, threshold: 0.9 }),
  ),
  // 7 of 100 are exactly 0.07.
  ...[7, 6].map((passes) => ({ ends: `${'p'.repeat(passes)}${'r'.repeat(100 - passes)}`, threshold: 0.07 })),
  ...['pp', 'ppr', 'prr'].map((ends) => ({ ends, times: 5, threshold: 0.8 })),
  { ends: 'pp', times: 5 },
  ...['rrr', 'kkpk', 'prp'].map((ends) => ({ ends, lane: 'sim' as const })),
  { ends: 'prppp', lane: 'sim', threshold: 0.8 },
];

const nameRepeated = ({ ends, threshold, times = ends.length, lane = 'live' }: Repeated): string =>
  `repeated ${times} times, ${lane}${threshold === undefined ? '' : `, threshold ${threshold}`}: ${ends.replace(/(.)\1{19,}/g, (same, letter) => `${letter}*${same.length}`)}`;

const saveRepeated = ({ ends, threshold, times = ends.length, lane = 'live' }: Repeated) =>
  save([{ attempts: [...ends].map((letter, index) => ({ ...LETTERS[letter], repeat: index + 1 })) }], {
    ...{ repeat: { times, threshold: threshold ?? null }, lane },
  });

const test = (...attempts: readonly AttemptFields[]): Test => ({ attempts: [...attempts] });
const known = (...attempts: readonly AttemptFields[]): Test => ({ ...test(...attempts), knownIssue: KNOWN });
const NOT_READY: Test = { skipped: 'kiro-cli is not on PATH', cause: { kind: 'not-ready' } };
const NEVER: Test = {};

/** A run by its tests, and by what else is special about it. */
const save = (
  tests: readonly Test[],
  run: Run = {},
  { end, more = [] }: { end?: RunStory['end']; more?: readonly JournalEvent[] } = {},
): JournalEvent[] => [
  ...journal({
    run,
    tests: tests.map((story, index) => ({ scenarioId: `test-${index}`, ...story })),
    ...(end === undefined ? {} : { end }),
  }),
  ...more,
];
const cutShort = { end: { interrupted: true } };
const changed = (what?: Extract<JournalEvent, { type: 'journal-changed' }>['what']): JournalEvent => ({
  ...{ type: 'journal-changed', at: AT, found: 'its content was changed' },
  ...(what === undefined ? {} : { what }),
});

/** Runs of every kind, each with as little as makes it one. */
export const SAVED_RUNS: Readonly<Record<string, readonly JournalEvent[]>> = {
  'green: the only test': save([test(PASS)]),
  'green: all tests, on two backends': save([test(PASS), { ...test(PASS), backend: 'kiro' }]),
  'green: some skipped': save([test(PASS), NOT_READY]),
  'green: on the stand-in': save([test(PASS)], { target: STAND_IN, lane: 'sim' }),
  'green: on the stand-in, because no ralph was found': save([test(PASS)], {
    target: { ...STAND_IN, because: 'none-found' },
  }),
  'green: a conversation, scripted': save([{ ...test(PASS), kind: 'conversation' }], {
    ...{ target: STAND_IN, lane: 'scripted' },
  }),
  'green: a conversation, simulated': save([{ ...test(PASS), kind: 'conversation' }], {
    ...{ target: { ...STAND_IN, because: 'not-needed' }, lane: 'sim' },
  }),
  'red: Ralph broke a promise': save([test(PASS), test(TARGET)]),
  'red: nobody knows whose fault': save([test(failed())]),
  'red: Ralph, then the agent': save([test(TARGET, AGENT)]),
  'red: Ralph, then an error of the harness': save([test(TARGET, ERROR)]),
  'red: Ralph, then Ctrl-C': save([test(TARGET, CTRL_C)], {}, cutShort),
  'red: Ralph, the agent, the service and the harness': save([
    ...[test(TARGET), test(AGENT), test(SERVICE), test(ERROR)],
  ]),
  'red: an error of the harness, then Ralph': save([test(ERROR, TARGET)]),
  'red: on the stand-in': save([test(TARGET)], { target: STAND_IN, lane: 'sim' }),
  'red: and the others did not run': save([test(TARGET), NEVER]),
  'red: six causes': save([
    ...[TIMEOUT, CRASHED, BACKEND, NO_EVENT, NO_FILE, NO_WORD].map((end) => test(end)),
  ]),
  'red: two tests of one cause': save([test(NO_FILE), test(NO_FILE), test(PASS)]),
  'known issue: and a pass': save([known({ ...failed(), outcome: 'known-issue' }), test(PASS)]),
  'known issue: and nothing else': save([known({ ...failed(), outcome: 'known-issue' })]),
  'known issue: two, and two passes': save([
    ...[known({ ...failed(), outcome: 'known-issue' }), test(PASS)],
    ...[known({ ...failed(), outcome: 'known-issue' }), test(PASS)],
  ]),
  'known issue: gone': save([known({ ...PASS, knownIssueGone: true })]),
  'known issue: gone in one attempt of two': save([known(failed(), { ...PASS, knownIssueGone: true })]),
  'known issue: and another failure': save([known({ ...failed(), outcome: 'known-issue' }), test(TARGET)]),
  'inconclusive: the agent': save([test(PASS), test(AGENT, AGENT)]),
  'inconclusive: the only test': save([test(AGENT)]),
  'inconclusive: the service': save([test(PASS), test(SERVICE)]),
  'inconclusive: the service, which was given up': save([
    ...[test(PASS), test(SERVICE)],
    { skipped: 'no login', cause: { kind: 'service-lost', trouble: 'login', test: 'test-1' } },
  ]),
  'inconclusive: behind a gate': save([
    ...[test(PASS), test(AGENT)],
    { skipped: 'the gate failed', cause: { kind: 'gate-failed', gate: 'test-1' } },
  ]),
  'inconclusive: and an error of the harness': save([test(AGENT), test(ERROR)]),
  'inconclusive: and a flaky test': save([test(AGENT), test(AGENT, PASS)]),
  'inconclusive: a replay diverged': save([test(DIVERGED)], {
    origin: {
      ...{ kind: 'replay', runId: 'run-0', source: 'run-0', isSingle: false, lane: 'live', target: STAND_IN },
      ...{ outcomes: [], changed: [] },
    },
  }),
  'error: of the harness': save([test(ERROR), test(ERROR)]),
  'error: that speaks of an interrupt': save([test({ ...ERROR, error: 'interrupted by the user' })]),
  'error: an attempt has no end': save([{ unfinished: true }]),
  'error: a target that changed': save([test(PASS)], {}, { more: [changed('target')] }),
  'error: a journal that changed': save([test(PASS)], {}, { more: [changed(), changed('journal-later')] }),
  'error: records that were lost': save(
    ...([[test(PASS)], {}, { more: [changed('journal-unwritten'), changed('earlier-runs')] }] as const),
  ),
  'flaky: the only test': save([test(AGENT, PASS)]),
  'flaky: one of two': save([test(failed(), PASS), test(PASS)]),
  'flaky: only the service': save([test(SERVICE, PASS)]),
  'nothing: no test was planned': save([]),
  'nothing: all were skipped': save([NOT_READY, NOT_READY]),
  'nothing: skipped by an older version, without a cause': save([{ skipped: 'logged out' }]),
  'nothing: a named backend is missing': save([test(PASS), { ...NOT_READY, backend: 'kiro' }], {
    ...{ backends: [readiness(), NO_KIRO], named: ['claude', 'kiro'] },
  }),
  'nothing: an empty journal': [],
  'incomplete: the budget was reached': save(
    [test(PASS), { skipped: 'the budget was reached', cause: { kind: 'budget-reached' } }],
    BUDGET,
  ),
  'incomplete: --bail': save([test(PASS), NEVER]),
  'interrupted: all that ran passed': save([test(PASS), NEVER], {}, cutShort),
  'interrupted: one needed a retry': save([test(AGENT, PASS)], {}, cutShort),
  'interrupted: during the first test': save([test(CTRL_C), NEVER], {}, cutShort),
  'interrupted: inconclusive so far': save([test(AGENT), NEVER], {}, cutShort),
  'interrupted: twice, before and during Ralph': save(
    [test({ ...CTRL_C, interrupted: false, evidence: { exit: { kind: 'interrupted' } } })],
    {},
    cutShort,
  ),
  'interrupted: killed': save([test(PASS), { unfinished: true }], {}, { end: null }),
  'resumed: what was cut off passed then': [
    ...save([test(CTRL_C)], {}, cutShort),
    { type: 'run-resumed', at: AT, activeSeconds: 5, takenOver: 0, left: 1, endedOrphans: [] },
    ...save([test(PASS)]).slice(1),
  ],
  ...Object.fromEntries(REPEATED.map((run) => [nameRepeated(run), saveRepeated(run)])),
  'shard: green': save([test(PASS)], SHARD(1, 2, 2)),
  'shard: red': save([test(TARGET)], SHARD(2, 2, 2)),
  'shard: nothing is left for it': save([], SHARD(2, 2, 1)),
  'shard: its tests cannot run here': save([NOT_READY], SHARD(1, 2, 2)),
  'shard: the only one, without a test': save([], SHARD(1, 1, 0)),
  'shard: merged, one of them interrupted': save([test(PASS), NEVER], {
    merged: [1, 2].map((index) => ({
      ...{ index, runId: `run-${index}`, at: AT, tests: 1, durationSeconds: 3, resumed: 0 },
      interrupted: index === 2,
    })),
  }),
};
