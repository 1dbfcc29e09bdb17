import { groupBy } from '../../common/group-by.js';
import { type BackendId, executionKey, type Lane, type Outcome } from '../../vocabulary.js';
import { LATEST_PASSES, median } from '../expectation.js';
import type { RunSummary } from '../history.js';
import { type Interval, intervalOf } from './rate.js';

/** What one run showed about a test. */
export interface HistoryPoint {
  readonly run_id: string;
  readonly timestamp: string;
  readonly ralph_version: string;
  /** The SHA-256 of the Ralph; null if the run does not say it. */
  readonly ralph_sha256: string | null;
  readonly outcome: Outcome;
  readonly passed: number;
  readonly counted: number;
  readonly seconds: number;
  /** Null in the offline lanes. */
  readonly usd: number | null;
}

/** What all kept runs in one lane on one kind of target show about a test. */
export interface TestHistory {
  readonly scenario_id: string;
  readonly backend: BackendId;
  readonly lane: Lane;
  readonly target_kind: RunSummary['target_kind'];
  /** Oldest first. Runs that skipped the test are not included. */
  readonly points: readonly HistoryPoint[];
  readonly passed: number;
  readonly counted: number;
  /** Null if nothing counts. */
  readonly rate: number | null;
  readonly interval: Interval | null;
  /** How often the outcome changed within a run, or between two runs on the same build of Ralph. */
  readonly flips: number;
  /** The median time of the latest passes; null if it never passed. */
  readonly usual_seconds: number | null;
  /** The median cost; null in the offline lanes. */
  readonly usual_usd: number | null;
}

type SummarizedTest = RunSummary['tests'][number];

/** Lists what the kept runs show about each test, the least reliable first, and last those of which nothing counts. */
export function listTestHistories(summaries: readonly RunSummary[]): TestHistory[] {
  const all = summaries.flatMap((run) =>
    run.tests.filter(({ outcome }) => outcome !== 'skipped').map((test) => ({ run, test })),
  );
  const groups = groupBy(
    all,
    ({ run, test }) => `${run.lane} ${run.target_kind} ${executionKey(test.scenario_id, test.backend)}`,
  );
  return [...groups.values()].flatMap(describeTest).sort((a, b) => orderOf(a) - orderOf(b));
}

function orderOf({ rate, flips }: TestHistory): number {
  return (rate ?? 2) - (flips > 0 ? 1 : 0);
}

function describeTest(
  seen: readonly { readonly run: RunSummary; readonly test: SummarizedTest }[],
): TestHistory[] {
  const [first] = seen;
  if (first === undefined) return [];
  const { scenario_id, backend } = first.test;
  const { lane, target_kind } = first.run;
  const points = seen.map(({ run, test }) => describePoint(run, test));
  const sum = (pick: (point: HistoryPoint) => number) =>
    points.reduce((total, point) => total + pick(point), 0);
  const [passed, counted] = [sum((point) => point.passed), sum((point) => point.counted)];
  const within = seen.reduce((total, { test }) => total + test.counts.flips, 0);
  const times = points.filter((point) => point.passed > 0).map(({ seconds }) => seconds);
  const costs = points.flatMap(({ usd }) => usd ?? []);
  return [
    {
      ...{ scenario_id, backend, lane, target_kind, points, passed, counted },
      rate: counted === 0 ? null : passed / counted,
      interval: counted === 0 ? null : intervalOf({ passed, failed: counted - passed }),
      flips: within + countChanges(points),
      usual_seconds: times.length === 0 ? null : median(times.slice(-LATEST_PASSES)),
      usual_usd: costs.length === 0 ? null : median(costs.slice(-LATEST_PASSES)),
    },
  ];
}

function describePoint(
  run: RunSummary,
  { outcome, counts, duration_seconds, spent }: SummarizedTest,
): HistoryPoint {
  const { run_id, timestamp, ralph_version, ralph_sha256 = null } = run;
  // A known issue counts neither as passed nor as failed.
  const { passed, counted } = outcome === 'known-issue' ? { passed: 0, counted: 0 } : counts;
  return {
    ...{ run_id, timestamp, ralph_version, ralph_sha256, outcome, passed, counted },
    seconds: duration_seconds,
    usd: spent?.usd ?? null,
  };
}

/** Counts changes from a run in which every attempt passed to one in which none did, or back. */
function countChanges(points: readonly HistoryPoint[]): number {
  const sure = points.filter(({ passed, counted }) => counted > 0 && (passed === 0 || passed === counted));
  return sure.filter((point, index) => {
    const before = sure[index - 1];
    if (before === undefined || isOtherBuild(before, point)) return false;
    return before.passed > 0 !== point.passed > 0;
  }).length;
}

/** Two builds can have the same version. Where a run does not say its hash, the version decides. */
function isOtherBuild(one: HistoryPoint, other: HistoryPoint): boolean {
  const [a, b] = [one.ralph_sha256, other.ralph_sha256];
  return one.ralph_version !== other.ralph_version || (a !== null && b !== null && a !== b);
}
