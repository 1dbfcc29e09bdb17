import type { Planned } from '../../domain/attempt.js';
import { handleRecord, type JournalEvent, type RecordHandlers } from '../../domain/journal.js';
import type { Spending } from '../../domain/money/spending.js';
import { ONCE, type RepeatPlan } from '../../domain/options/repeat-plan.js';
import { listRepeats } from '../../domain/results/repeats.js';
import { type BackendId, executionKey, testLabel } from '../../domain/vocabulary.js';
import { oneLine } from '../text/safe-text.js';
import { countOf, describeSpent, formatClock } from '../words/words.js';

type PlannedRepeat = Pick<Planned, 'scenarioId' | 'backend'> & { readonly repeat?: number | undefined };

interface Test {
  readonly label: string;
  /** What it took in earlier runs, in seconds; null if there are none. */
  expected: number | null;
  readonly limit: number;
  /** When it started, in milliseconds. */
  since: number | null;
  /** How long its last attempt took; null if it was skipped or has not ended. */
  took: number | null;
  failed: boolean;
  settled: boolean;
}

const BAR = 12;
/** A running test says for how long it has been running from here on. */
const LONG_SECONDS = 10;
/** The name of what runs is left out if there is less room for it. */
const SHORTEST_NAME = 8;

/**
 * Tracks the progress of a run from its events. It estimates from earlier runs of the same tests and from the pace of
 * this one.
 */
export function createProgress(now: () => number) {
  const tests = new Map<string, Test>();
  let startedAt = now();
  let spentUsd: number | null = null;
  let maxUsd: number | null = null;
  let analysis: { backend: BackendId; limit: number; since: number } | null = null;
  let begun = false;
  let finished = false;
  let interrupted = false;

  /** A run with `--repeat` counts each repeat. */
  let repeatPlan: RepeatPlan = ONCE;
  const keyOf = ({ scenarioId, backend }: Pick<Planned, 'scenarioId' | 'backend'>, repeat = 1): string =>
    `${executionKey(scenarioId, backend)} ${repeat}`;
  const repeats = (): number[] => listRepeats(repeatPlan);
  const plan = ({ scenarioId, backend, timeoutSeconds }: Planned, repeat: number): void => {
    tests.set(keyOf({ scenarioId, backend }, repeat), {
      ...{ label: testLabel(scenarioId, backend), limit: timeoutSeconds },
      ...{ expected: null, since: null, took: null, failed: false, settled: false },
    });
  };
  const update = (event: PlannedRepeat, change: Partial<Test>): void => {
    const known = tests.get(keyOf(event, event.repeat));
    if (known) Object.assign(known, change);
  };
  const updateAll = (event: PlannedRepeat, change: Partial<Test>): void => {
    for (const repeat of repeats()) update({ ...event, repeat }, change);
  };

  const pay = ({ spending }: { readonly spending?: Spending | undefined }): void => {
    if (spending) spentUsd = (spentUsd ?? 0) + spending.usd;
  };
  const handlers: Partial<RecordHandlers<void>> = {
    'run-started': (event) => {
      startedAt = now();
      repeatPlan = event.repeat ?? ONCE;
      for (const repeat of repeats()) for (const test of event.planned) plan(test, repeat);
      if (event.budget) [spentUsd, maxUsd] = [0, event.budget.maxUsd];
    },
    'history-known': ({ expected }) => {
      for (const entry of expected) updateAll(entry, { expected: entry.seconds });
    },
    'attempt-started': (event) => {
      begun = true;
      update(event, { since: now(), settled: false });
    },
    'attempt-finished': (event) => {
      pay(event);
      update(event, {
        since: null,
        settled: event.retryInSeconds === undefined,
        took: event.durationSeconds,
        failed: event.outcome === 'failed' || (event.outcome === 'error' && !event.interrupted),
      });
    },
    'scenario-skipped': (event) => updateAll(event, { since: null, settled: true }),
    'analysis-started': ({ backend, timeoutSeconds }) => {
      analysis = { backend, limit: timeoutSeconds, since: now() };
    },
    'baseline-finished': pay,
    'analysis-finished': (event) => {
      analysis = null;
      pay(event);
    },
    'run-finished': () => {
      finished = true;
      for (const test of tests.values()) test.since = null;
    },
  };
  const onEvent = (event: JournalEvent): void => handleRecord(event, handlers);

  const secondsSince = (moment: number): number => Math.max(0, (now() - moment) / 1000);
  const all = (): Test[] => [...tests.values()];
  const running = (): Test[] => all().filter(({ since }) => since !== null);

  const describeLeft = (): string[] => {
    const timed = all().map((test) => ({
      ...test,
      took: test.settled ? test.took : null,
      running: test.since === null ? null : secondsSince(test.since),
    }));
    if (interrupted || timed.every(({ settled }) => settled)) return [];
    const left = estimateLeft(timed, secondsSince(startedAt));
    return left === null ? [] : [`about ${formatClock(Math.max(1, left))} left`];
  };

  /** Says what the run does if no test is running, or while it ends. */
  const describeIdle = (count: number): string => {
    if (interrupted) return count === 0 ? 'writing the reports' : `ending ${countOf(count, 'test')}`;
    if (all().some(({ settled }) => !settled)) return 'waiting before the next attempt';
    return all().some(({ failed }) => failed) ? 'looking at the failures' : 'writing the reports';
  };

  /** Names what is running, or what the run does after its last test. */
  const describeNow = (columns: number): string => {
    const [first, ...others] = running();
    if (interrupted || first === undefined) return oneLine(describeIdle(running().length), columns);
    const seconds = secondsSince(first.since ?? now());
    const limit =
      first.expected === null
        ? `, limit ${formatClock(first.limit)}`
        : `, usually ${formatClock(first.expected)}`;
    const time = seconds < LONG_SECONDS ? '' : ` (${formatClock(seconds)}${limit})`;
    const more = others.length > 0 ? ` +${others.length}` : '';
    // The time goes before the name.
    const tail = columns - time.length - more.length < SHORTEST_NAME ? more : `${time}${more}`;
    const room = columns - tail.length;
    return room < SHORTEST_NAME ? '' : `${oneLine(first.label, room)}${tail}`;
  };

  /** Describes how much is done and left, and what is running, on one line of at most so many columns. */
  const describe = (columns = 200, bar = false): string => {
    const money = spentUsd === null ? [] : [describeSpent(spentUsd, maxUsd)];
    if (analysis !== null) {
      const { backend, limit, since } = analysis;
      const time = `${formatClock(secondsSince(since))}, limit ${formatClock(limit)}`;
      const text = `Ralph analyzes the results on ${backend} (${time}), Ctrl-C skips it`;
      return oneLine([text, ...money].join(' · '), columns);
    }
    const done = all().filter(({ settled }) => settled).length;
    const failed = all().filter((test) => test.failed).length;
    const count = `[${done}/${tests.size}]`;
    const facts = [
      formatClock(secondsSince(startedAt)),
      ...describeLeft(),
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...money,
    ].join(', ');
    const drawn = bar ? `${drawBar(done, tests.size)} ` : '';
    const withBar = `${count} ${drawn}${facts}`;
    const rest = 3 + SHORTEST_NAME + 4;
    // What may be cut is the name of what runs, and before that the bar goes.
    const head = withBar.length + rest <= columns ? withBar : `${count} ${facts}`;
    const what = describeNow(columns - head.length - 3);
    return what === '' ? oneLine(head, columns) : `${head} · ${what}`;
  };

  return {
    onEvent,
    describe,
    /** True from the first test until the run has ended. */
    isBusy: () => begun && !finished,
    /** How many tests are running. */
    countRunning: () => running().length,
    /** Nothing new starts from here on. */
    interrupt: () => {
      interrupted = true;
    },
  };
}

function drawBar(done: number, total: number): string {
  const full = total === 0 ? 0 : Math.floor((done / total) * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
}

/** A test as far as an estimate needs it; `running` says for how many seconds it has been, null if it is not. */
export type TimedTest = Pick<Test, 'expected' | 'took' | 'settled'> & { readonly running: number | null };

/** How much slower or faster than earlier runs this one may be taken to be. */
const PACE = { least: 0.25, most: 4 } as const;
/** So many tests must have ended before they say how fast this run is. */
const ENOUGH = 3;

/**
 * Estimates how many seconds are left: from what open tests took in earlier runs, or else from what the others took in
 * this one, at the rate at which this run gets work done. Returns null as long as nothing is known.
 */
export function estimateLeft(tests: readonly TimedTest[], elapsed: number): number | null {
  const ended = tests.filter(({ took }) => took !== null);
  const settled = tests.filter((test) => test.settled).length;
  const open = tests.filter((test) => !test.settled);
  const usual = averageOf(ended.map(({ took }) => took ?? 0));
  if (usual === null && open.every(({ expected }) => expected === null)) return null;
  const pace = paceOf(ended);
  // Some of the tests that no earlier run knows will be skipped, as others were.
  const share = settled === 0 ? 1 : ended.length / settled;
  const left = open.map(({ expected, running }) => {
    const whole = expected === null ? (usual ?? 0) * (running === null ? share : 1) : expected * pace;
    return Math.max(0, whole - (running ?? 0));
  });
  const done = [...ended.map(({ took }) => took ?? 0), ...open.map(({ running }) => running ?? 0)];
  const atOnce = Math.max(
    1,
    elapsed > 1 ? sum(done) / elapsed : open.filter((test) => test.running !== null).length,
  );
  return Math.max(sum(left) / atOnce, ...left);
}

/** Returns how this run's times compare with those of earlier runs: 2 means that it takes twice as long. */
function paceOf(ended: readonly TimedTest[]): number {
  const known = ended.filter(({ expected }) => expected !== null && expected > 0);
  if (known.length < ENOUGH) return 1;
  const ratio = sum(known.map(({ took }) => took ?? 0)) / sum(known.map(({ expected }) => expected ?? 0));
  return Math.min(Math.max(ratio, PACE.least), PACE.most);
}

function averageOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : sum(numbers) / numbers.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
