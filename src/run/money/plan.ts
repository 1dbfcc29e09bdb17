import type { Environment } from '../../backends/index.js';
import type { Target } from '../../domain/attempt.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import type { Budget, Estimate, Spending } from '../../domain/money/spending.js';
import { ONCE } from '../../domain/options/repeat-plan.js';
import { LATEST_PASSES, median } from '../../domain/report/expectation.js';
import { comparableRuns, type RunSummary, type Spent } from '../../domain/report/history.js';
import { type BackendId, executionKey, LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { readRunSummaries } from '../../journal/summaries.js';
import type { WorkspaceRoot } from '../../workspace/workspace-root.js';
import { keyOfJob, type Selected } from '../planned.js';
import type { RunOptions } from '../run-options.js';
import type { ScheduleLimits } from '../schedule.js';
import { whySkipped } from '../select/why-skipped.js';
import {
  type Average,
  averageOf,
  callKindOf,
  countCalls,
  hasPrice,
  isLike,
  isPaid,
  UNKNOWN_SECONDS,
  UNKNOWN_TOKENS,
} from './calls.js';
import { createMeter, FREE, type Meter } from './meter.js';

/** Thrown if the user declines the estimate. Nothing ran, and nothing is left. */
export class Declined extends KnownError {
  constructor() {
    super('Nothing ran: the estimate was declined.', { hint: '`--yes` answers the question.' });
  }
}

/** The iterations that a good analysis takes: one to write it, and one to complete. */
export const ANALYSIS_CALLS = 2;

/** The money of a run: what it may cost, and the meter that counts. */
interface Money {
  readonly meter: Meter;
  /** Null in a lane that costs nothing. */
  readonly budget: Budget | null;
}

interface Call extends Pick<RunOptions, 'lane' | 'model' | 'maxUsd' | 'repeat' | 'approve' | 'review'> {
  readonly target: Target;
  readonly env: Environment;
  readonly selected: readonly Selected[];
  readonly readiness: ReadonlyMap<BackendId, Readiness>;
  readonly limits: ScheduleLimits;
  /** How many repeats of a test an earlier part of the run has finished. Default: none. */
  readonly repeatsDone?: (test: Selected) => number;
  /** What the run spent before it was resumed. Default: nothing. */
  readonly already?: readonly Spending[];
}

/** Estimates what a run will cost and asks whether to go on. Throws if the answer is no. */
export async function planMoney(root: WorkspaceRoot, call: Call): Promise<Money> {
  const { lane, target, model, readiness, limits, maxUsd, already = [] } = call;
  if (!LANE_TRAITS[lane].costsMoney) return { meter: FREE, budget: null };
  const { summaries } = await readRunSummaries(root);
  const earlier = comparableRuns(summaries, { lane, target_kind: target.kind });
  const obstacles = await Promise.all(call.selected.map((test) => whySkipped(test, readiness, call)));
  const due = call.selected.filter((_, index) => obstacles[index] === null);
  const { repeatsDone = () => 0 } = call;
  const { times } = call.repeat ?? ONCE;
  const timesOf = (test: Selected) => Math.max(1, times - repeatsDone(test));
  const tests = estimateTests(due, { earlier, model, lane, timesOf });
  // Ralph analyzes the results at the end.
  const analyst = call.review && due.find(({ scenario }) => scenario.kind === 'ralph')?.backend;
  const estimate = sumEstimate(tests, limits, {
    calls: analyst === undefined ? 0 : ANALYSIS_CALLS,
    average: analyst === undefined ? null : averageOf(analyst, 'iteration', model),
  });
  if (due.length > 0 && (await call.approve?.(estimate)) === false) throw new Declined();
  const expected = new Map(due.map((job, index) => [keyOfJob(job), tests[index]?.usd ?? 0]));
  return {
    meter: createMeter({ maxUsd, expected, model, already }),
    budget: { estimate, maxUsd },
  };
}

/** Refuses `--max-cost` where it could not be kept. */
export function refuseUnpriced(
  candidates: readonly Selected[],
  { lane, maxUsd }: { readonly lane: Lane; readonly maxUsd: number | null },
): void {
  if (maxUsd === null || !LANE_TRAITS[lane].costsMoney) return;
  const unpriced = [...new Set(candidates.map(({ backend }) => backend))].filter((id) => !hasPrice(id));
  if (unpriced.length === 0) return;
  const names = unpriced.join(' and ');
  throw new KnownError(
    `--max-cost cannot be kept on ${names}: expected a CLI that reports its cost or tokens, or figures to estimate it from, found neither.`,
    { hint: `Leave out ${names}, or leave out --max-cost.` },
  );
}

/** What one test is expected to take. */
interface TestEstimate {
  readonly backend: BackendId;
  readonly gate: boolean;
  readonly calls: number;
  readonly tokens: number;
  /** Null if no price is known. */
  readonly usd: number | null;
  readonly seconds: number;
  /** True if earlier runs measured this test. */
  readonly measured: boolean;
  /** How often it runs. All other figures are those of one time. */
  readonly times: number;
}

interface Known {
  /** How often a test runs: as often as `--repeat` says, or less if the run is resumed. */
  readonly timesOf: (test: Selected) => number;
  /** Earlier runs in the same lane on the same kind of target, oldest first. */
  readonly earlier: readonly RunSummary[];
  readonly model: string | null;
  readonly lane: Lane;
}

/** Estimates each test: the median of its latest runs, or else its calls at the average of a call. */
function estimateTests(selected: readonly Selected[], known: Known): TestEstimate[] {
  const spent = collectSpent(known);
  return selected.map((test) => {
    const { scenario, backend } = test;
    const latest = spent.get(keyOfJob(test))?.slice(-LATEST_PASSES) ?? [];
    const who = { backend, gate: scenario.gate, times: known.timesOf(test) };
    if (latest.length > 0) {
      const middle = (pick: (one: Spent) => number) => median(latest.map(pick));
      return {
        ...who,
        calls: middle(({ calls }) => calls),
        tokens: middle(({ tokens }) => tokens ?? 0),
        usd: middle(({ usd }) => usd),
        seconds: middle(({ seconds }) => seconds),
        measured: true,
      };
    }
    const count = countCalls(scenario, backend, known.lane);
    const average = averageOf(backend, callKindOf(scenario), known.model);
    const billed = isPaid(scenario, backend, known.lane) ? count : 0;
    return {
      ...who,
      calls: count,
      tokens: billed * (average?.tokens ?? UNKNOWN_TOKENS),
      usd: average === null ? null : billed * average.usd,
      seconds: count * (average?.seconds ?? UNKNOWN_SECONDS),
      measured: false,
    };
  });
}

/** Sums up the tests of a run at the parallelism that it will have, and the analysis after them. */
function sumEstimate(
  tests: readonly TestEstimate[],
  limits: ScheduleLimits,
  analysis: { readonly calls: number; readonly average: Average | null },
): Estimate {
  const sum = (pick: (test: TestEstimate) => number) =>
    tests.reduce((total, test) => total + pick(test) * test.times, 0);
  const unpriced = tests.filter(({ usd }) => usd === null).map(({ backend }) => backend);
  return {
    tests: tests.length,
    calls: Math.round(sum(({ calls }) => calls) + analysis.calls),
    tokens: Math.round(sum(({ tokens }) => tokens) + analysis.calls * (analysis.average?.tokens ?? 0)),
    usd: sum(({ usd }) => usd ?? 0) + analysis.calls * (analysis.average?.usd ?? 0),
    seconds: estimateSeconds(tests, limits) + analysis.calls * (analysis.average?.seconds ?? 0),
    measured: tests.filter(({ measured }) => measured).length,
    unpriced: [...new Set(unpriced)],
  };
}

/** Backends run side by side; on each, its gate comes first and then as many tests at a time as the limits allow. */
function estimateSeconds(tests: readonly TestEstimate[], limits: ScheduleLimits): number {
  const total = (some: readonly TestEstimate[]) =>
    some.reduce((sum, { seconds, times }) => sum + seconds * times, 0);
  const perBackend = [...new Set(tests.map(({ backend }) => backend))].map((id) => {
    const own = tests.filter(({ backend }) => backend === id);
    const rest = own.filter(({ gate }) => !gate);
    // The repeats of a test run one after the other.
    const longest = Math.max(0, ...rest.map(({ seconds, times }) => seconds * times));
    return total(own.filter(({ gate }) => gate)) + Math.max(longest, total(rest) / limits.perLane(id));
  });
  return Math.max(0, ...perBackend, total(tests) / limits.total);
}

function collectSpent({ earlier, model }: Known): Map<string, Spent[]> {
  const found = new Map<string, Spent[]>();
  for (const { scenario_id, backend, spent } of earlier.flatMap(({ tests }) => tests)) {
    if (spent === undefined || !isLike(spent.model, model)) continue;
    const key = executionKey(scenario_id, backend);
    found.set(key, [...(found.get(key) ?? []), spent]);
  }
  return found;
}
