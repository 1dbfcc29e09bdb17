import type { Estimate } from '../../domain/money/spending.js';
import { LATEST_PASSES, median } from '../../domain/report/expectation.js';
import type { RunSummary, Spent } from '../../domain/report/history.js';
import { type BackendId, executionKey, type Lane } from '../../domain/vocabulary.js';
import type { Selected } from '../planned.js';
import type { ScheduleLimits } from '../schedule.js';
import { type Average, type Averages, isLike, UNKNOWN_SECONDS, UNKNOWN_TOKENS } from './averages.js';
import { callKindOf, countCalls, isPaid } from './calls.js';

/** What one test is expected to take. */
export interface TestEstimate {
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
  readonly averages: Averages;
  readonly model: string | null;
  readonly lane: Lane;
}

/** Estimates each test: the median of its latest runs, or else its calls at the average of a call. */
export function estimateTests(selected: readonly Selected[], known: Known): TestEstimate[] {
  const spent = collectSpent(known);
  return selected.map((test) => {
    const { scenario, backend } = test;
    const latest = spent.get(executionKey(scenario.id, backend))?.slice(-LATEST_PASSES) ?? [];
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
    const average = known.averages(backend, callKindOf(scenario));
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
export function sumEstimate(
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
