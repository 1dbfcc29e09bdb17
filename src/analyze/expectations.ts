import { countNoun } from '../domain/checks/text.js';
import type { Execution, PassedAnalysis } from '../domain/report/analysis.js';
import {
  ENOUGH_PASSES,
  METRICS,
  type Metric,
  type MetricComparison,
  type Usual,
} from '../domain/report/expectation.js';

type Numbers = Record<Metric, number | null>;
type Warning = PassedAnalysis['warnings'][number];

/** Smaller differences are noise: two seconds instead of one is twice as long and means nothing. */
const NOISE = {
  duration_seconds: 5,
  iterations_used: 0,
  events_emitted: 1,
  tool_calls: 2,
  tokens_estimated: 2_000,
  cost_usd: 0.02,
  retries_needed: 0,
} as const satisfies Record<Metric, number>;

/** A metric is unusual at twice its usual value, and above all recent passes. */
const TIMES_USUAL = 2;

/**
 * Compares each metric with its expected value: the scenario's for iterations, none for retries, and for all others the
 * latest passes of the same test in the same lane on the same backend with the same model.
 */
export function compareMetrics(
  numbers: Numbers,
  { planned, usual, attempts }: Execution,
): MetricComparison[] {
  const model = attempts.at(-1)?.evidence?.usage?.model ?? null;
  const known = usual?.model === model ? usual.metrics : [];
  return METRICS.map((metric): MetricComparison => {
    const actual = numbers[metric];
    const past = known.find((entry) => entry.metric === metric);
    const expectation = actual === null ? null : expect(metric, planned?.expectedIterations ?? null, past);
    // Written out, not spread: for ten thousand results the spread objects took thirty megabytes.
    return {
      metric,
      actual,
      expected: expectation?.expected ?? null,
      at_most: expectation?.atMost ?? null,
      basis: expectation?.basis ?? null,
      earlier_passes: past?.passes ?? 0,
      status: judge(actual, expectation),
    };
  });
}

interface Expectation {
  readonly expected: number;
  readonly atMost: number;
  readonly basis: NonNullable<MetricComparison['basis']>;
}

function expect(
  metric: Metric,
  iterations: number | null,
  past: Usual['metrics'][number] | undefined,
): Expectation | null {
  if (metric === 'iterations_used' && iterations !== null)
    return { expected: iterations, atMost: iterations, basis: 'scenario' };
  if (metric === 'retries_needed') return { expected: 0, atMost: 0, basis: 'always' };
  if (past === undefined || past.passes < ENOUGH_PASSES) return null;
  const { median, most } = past;
  const atMost = Math.max(median * TIMES_USUAL, median + NOISE[metric], most);
  return { expected: median, atMost, basis: 'history' };
}

function judge(actual: number | null, expectation: Expectation | null): MetricComparison['status'] {
  if (actual === null) return 'not-measured';
  if (expectation === null) return 'no-expectation';
  return actual > expectation.atMost ? 'above' : 'as-expected';
}

interface Concern {
  readonly category: Warning['category'];
  readonly message: string;
  readonly spell: (value: number) => string;
}

/** What an unusually high metric means. */
const CONCERNS = {
  duration_seconds: {
    category: 'SlowExecution',
    message: 'Took much longer',
    spell: (value) => `${value.toFixed(1)} s`,
  },
  iterations_used: {
    category: 'ExcessiveIterations',
    message: 'Used many more iterations',
    spell: (value) => countNoun(value, 'iteration'),
  },
  events_emitted: {
    category: 'UnexpectedOutput',
    message: 'Published many more events',
    spell: (value) => countNoun(value, 'event'),
  },
  tool_calls: {
    category: 'ResourceIntensive',
    message: 'Used much more',
    spell: (value) => countNoun(value, 'tool call'),
  },
  tokens_estimated: {
    category: 'ResourceIntensive',
    message: 'Used much more',
    spell: (value) => countNoun(value, 'token'),
  },
  cost_usd: {
    category: 'ResourceIntensive',
    message: 'Used much more',
    spell: (value) => `$${value.toFixed(4)}`,
  },
  // Needs no history: retries are reported separately.
  retries_needed: null,
} as const satisfies Record<Metric, Concern | null>;

/** Warns once per category with an unusually high metric; skips the categories in `told`. */
export function warnOfUnusual(
  comparisons: readonly MetricComparison[],
  told: ReadonlySet<Warning['category']>,
): Warning[] {
  const found = new Map<Warning['category'], Warning>();
  for (const { metric, actual, expected, basis, status } of comparisons) {
    const concern = CONCERNS[metric];
    if (concern === null || told.has(concern.category)) continue;
    if (basis !== 'history' || status !== 'above' || actual === null || expected === null) continue;
    const { category, message, spell } = concern;
    const before = found.get(category);
    const evidence = `${spell(actual)}, usually ${spell(expected)}`;
    found.set(category, {
      category,
      message: `${message} than in its latest passes on this backend in this lane`,
      evidence: before ? `${before.evidence}; ${evidence}` : evidence,
    });
  }
  return [...found.values()];
}
