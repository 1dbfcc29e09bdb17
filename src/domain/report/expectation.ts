import * as z from 'zod';

/** What a test is measured by, under the names that its metrics have in report.json. */
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

/** What one test took when it passed. Null: nobody counted. */
export const measuredSchema = z.object({
  /** Tokens, time and cost of another model say nothing. */
  model: z.string().nullable(),
  values: z.partialRecord(metricSchema, z.number().nullable()),
});
export type Measured = z.infer<typeof measuredSchema>;

/** What a test took in its latest passes, in the same lane, on the same backend, with the same model. */
export const usualSchema = z.object({
  model: z.string().nullable(),
  metrics: z.array(
    z.object({ metric: metricSchema, passes: z.number(), median: z.number(), most: z.number() }),
  ),
});
export type Usual = z.infer<typeof usualSchema>;

/** How many of the latest passes of a test count: machines and models change. */
export const LATEST_PASSES = 5;
/** From so few passes nothing is expected: one slow minute would be the rule. */
export const ENOUGH_PASSES = 3;

/** What is usual, from the passes of one test, oldest first. */
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

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0;
  return (low + high) / 2;
}

/** A metric of a test that passed, beside what was expected of it. */
export const metricComparisonSchema = z.object({
  metric: metricSchema,
  actual: z.number().nullable(),
  /** Null: no expectation yet. From history it is the median of the latest passes. */
  expected: z.number().nullable(),
  /** What is still as expected. */
  at_most: z.number().nullable(),
  /** Where the expectation comes from: the scenario, earlier passes, or that no test should need it at all. */
  basis: z.enum(['scenario', 'history', 'always']).nullable(),
  /** How many earlier passes are known; an expectation needs three. */
  earlier_passes: z.number(),
  status: z.enum(['as-expected', 'above', 'no-expectation', 'not-measured']),
});
export type MetricComparison = z.infer<typeof metricComparisonSchema>;
