import * as z from 'zod';
import { troubleSchema } from '../../fault.js';

const intervalSchema = z.object({ low: z.number(), high: z.number() });

const spreadSchema = z.object({
  least: z.number(),
  median: z.number(),
  most: z.number(),
  /** How many repeats have this figure. */
  count: z.number(),
});
/** How far a figure varies between repeats. */
export type Spread = z.infer<typeof spreadSchema>;

/** What the repeats of one test show. */
export const repeatsSchema = z.object({
  planned: z.number(),
  ran: z.number(),
  /** The repeats that count for the rate: not those whose service was in trouble, nor errors of the harness. */
  counted: z.number(),
  passed: z.number(),
  /** `passed` of `counted`; null if nothing counts. */
  rate: z.number().nullable(),
  /** Contains the true rate with a probability of 95 %; null if nothing counts. */
  interval: intervalSchema.nullable(),
  /** Whether too many repeats failed for the threshold of the run; false without one. */
  below_threshold: z.boolean(),
  /** Why the other repeats did not run or do not count; null if all do. */
  left_reason: z.string().nullable(),
  /** How often the outcome changed from one repeat to the next. */
  flips: z.number(),
  /** True if repeats differ in an offline lane, where every repeat does the same: a defect of Ralph or of ralph-e2e. */
  defect: z.boolean(),
  /** The repeats that did not pass, and whose fault each was. */
  failures: z.array(
    z.object({
      repeat: z.number(),
      attempt: z.number(),
      whose: z.enum(['target', 'agent', 'infrastructure', 'recording', 'harness']),
      trouble: troubleSchema.nullable(),
      /** The first failed check, or the error. */
      what: z.string(),
    }),
  ),
  spread: z.object({
    iterations: spreadSchema.nullable(),
    seconds: spreadSchema.nullable(),
    tokens: spreadSchema.nullable(),
    cost_usd: spreadSchema.nullable(),
  }),
});
export type ReportRepeats = z.infer<typeof repeatsSchema>;

/** The repeats of the whole run. */
export const repeatTotalsSchema = z.object({
  times: z.number(),
  threshold: z.number().nullable(),
  /** The repeats of all tests that ran. */
  planned: z.number(),
  ran: z.number(),
  /** Tests whose repeats did not all run, or do not all count. The run then does not pass. */
  incomplete: z.number(),
  /** Tests whose repeats differ. */
  flipped: z.number(),
  /** Those of them in an offline lane. The run then fails. */
  defects: z.number(),
});
export type RepeatTotals = z.infer<typeof repeatTotalsSchema>;
