import type { Environment } from '../../backends/index.js';
import type { Target } from '../../domain/attempt.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import type { Budget, Estimate, Spending } from '../../domain/money/spending.js';
import { ONCE, type RepeatPlan } from '../../domain/options/repeat-plan.js';
import { comparableRuns } from '../../domain/report/history.js';
import { type BackendId, executionKey, LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { readRunSummaries } from '../../journal/summaries.js';
import type { WorkspaceRoot } from '../../workspace/workspace-root.js';
import type { Selected } from '../planned.js';
import type { ScheduleLimits } from '../schedule.js';
import { whySkipped } from '../select/why-skipped.js';
import { averagesFor, hasPrice } from './averages.js';
import { estimateTests, sumEstimate } from './estimate.js';
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

interface Call {
  readonly lane: Lane;
  readonly target: Target;
  readonly env: Environment;
  readonly selected: readonly Selected[];
  readonly readiness: ReadonlyMap<BackendId, Readiness>;
  readonly limits: ScheduleLimits;
  readonly model: string | null;
  readonly maxUsd: number | null;
  readonly repeat: RepeatPlan | null;
  /** How many repeats of a test an earlier part of the run has finished. Default: none. */
  readonly repeatsDone?: (test: Selected) => number;
  /** Whether Ralph analyzes the results at the end. */
  readonly analysis: boolean;
  /** What the run spent before it was resumed. Default: nothing. */
  readonly already?: readonly Spending[];
  readonly approve?: ((estimate: Estimate) => Promise<boolean>) | undefined;
}

/** Estimates what a run will cost and asks whether to go on. Throws if the answer is no. */
export async function planMoney(root: WorkspaceRoot, call: Call): Promise<Money> {
  const { lane, target, model, readiness, limits, maxUsd, already = [] } = call;
  if (!LANE_TRAITS[lane].costsMoney) return { meter: FREE, budget: null };
  const { summaries } = await readRunSummaries(root);
  const earlier = comparableRuns(summaries, { lane, target_kind: target.kind });
  const averages = averagesFor(model);
  const obstacles = await Promise.all(call.selected.map((test) => whySkipped(test, readiness, call)));
  const due = call.selected.filter((_, index) => obstacles[index] === null);
  const { repeatsDone = () => 0 } = call;
  const { times } = call.repeat ?? ONCE;
  const timesOf = (test: Selected) => Math.max(1, times - repeatsDone(test));
  const tests = estimateTests(due, { earlier, averages, model, lane, timesOf });
  const analyst = call.analysis ? due.find(({ scenario }) => scenario.kind === 'ralph')?.backend : undefined;
  const estimate = sumEstimate(tests, limits, {
    calls: analyst === undefined ? 0 : ANALYSIS_CALLS,
    average: analyst === undefined ? null : averages(analyst, 'iteration'),
  });
  if (due.length > 0 && (await call.approve?.(estimate)) === false) throw new Declined();
  const expected = new Map(
    due.map(({ scenario, backend }, index) => [executionKey(scenario.id, backend), tests[index]?.usd ?? 0]),
  );
  return {
    meter: createMeter({ maxUsd, expected, averages, model, already }),
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
