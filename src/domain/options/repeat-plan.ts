import * as z from 'zod';

/** More than this is a slip of the finger. */
export const MOST_REPEATS = 10_000;

/** How often each test of a run is repeated, and what its rate of passes must be. */
export const repeatPlanSchema = z.object({
  times: z.number(),
  /** The share of repeats that must pass, between 0 and 1; null if every repeat must pass. */
  threshold: z.number().nullable(),
});
export type RepeatPlan = z.infer<typeof repeatPlanSchema>;

/** The plan of a run without `--repeat`. */
export const ONCE: RepeatPlan = { times: 1, threshold: null };
