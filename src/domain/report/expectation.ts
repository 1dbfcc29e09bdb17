import * as z from 'zod';

/** The metrics of a test, by their names in report.json. */
export const METRICS = [
  'duration_seconds',
  'iterations_used',
  'events_emitted',
  'tool_calls',
  'tokens_estimated',
  'cost_usd',
  'retries_needed',
] as const;
const metricSchema = z.enum(METRICS);
export type Metric = z.infer<typeof metricSchema>;

/** The metrics of one pass. Null means that nobody counted. */
export const measuredSchema = z.object({
  /** Tokens, time and cost compare only within the same model. */
  model: z.string().nullable(),
  values: z.partialRecord(metricSchema, z.number().nullable()),
});
export type Measured = z.infer<typeof measuredSchema>;

/** The metrics of the latest passes of a test in the same lane, on the same backend, with the same model. */
export const usualSchema = z.object({
  model: z.string().nullable(),
  metrics: z.array(
    z.object({ metric: metricSchema, passes: z.number(), median: z.number(), most: z.number() }),
  ),
});
export type Usual = z.infer<typeof usualSchema>;

/** The number of latest passes that count. Older ones do not, because machines and models change. */
export const LATEST_PASSES = 5;
/** The number of passes that an expectation needs. With fewer, one slow run would set the rule. */
export const ENOUGH_PASSES = 3;

/** Finds the usual metrics in the passes of one test, oldest first. */
export function findUsual(passes: readonly Measured[]): Usual | null {
  const model = passes.at(-1)?.model;
  if (model === undefined) return null;
  const alike = passes.filter((pass) => pass.model === model);
  const metrics = METRICS.flatMap((metric) => {
    const values = alike.flatMap((pass) => pass.values[metric] ?? []).slice(-LATEST_PASSES);
    if (values.length === 0) return [];
    return [{ metric, passes: values.length, median: median(values), most: Math.max(...values) }];
  });
  return { model, metrics };
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0;
  return (low + high) / 2;
}

/** A metric of a test that passed, compared with what was expected. */
export const metricComparisonSchema = z.object({
  metric: metricSchema,
  actual: z.number().nullable(),
  /** Null if there is no expectation yet. From history it is the median of the latest passes. */
  expected: z.number().nullable(),
  /** The highest value that is still as expected. */
  at_most: z.number().nullable(),
  /** Where the expectation comes from: the scenario, earlier passes, or a rule that holds for every test. */
  basis: z.enum(['scenario', 'history', 'always']).nullable(),
  /** The number of earlier passes. An expectation needs three. */
  earlier_passes: z.number(),
  status: z.enum(['as-expected', 'above', 'no-expectation', 'not-measured']),
});
export type MetricComparison = z.infer<typeof metricComparisonSchema>;
