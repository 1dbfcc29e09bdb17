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

const decisionSchema = z.enum(['above', 'below', 'undecided']);

/** What the repeats of one test show. */
export const repeatsSchema = z.object({
  planned: z.number(),
  ran: z.number(),
  /** The repeats that count for the rate: not those whose service was in trouble, nor errors of the harness. */
  counted: z.number(),
  passed: z.number(),
  /** `passed` of `counted`; null if nothing counts. */
  rate: z.number().nullable(),
  /**
   * Contains the true rate with a probability of 95 %. With a threshold it stays valid although the repeats stop early.
   * Null if nothing counts.
   */
  interval: intervalSchema.nullable(),
  /** What is shown about the threshold of the run; null without one. */
  decision: decisionSchema.nullable(),
  /** The repeats that did not run because the threshold was decided before. */
  saved: z.number(),
  /** Why the other repeats did not run; null if all did, or if they were not needed. */
  left_reason: z.string().nullable(),
  /** About how many more repeats would decide about the threshold; null if it is decided or not foreseeable. */
  more_to_decide: z.number().nullable(),
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
  /** What early decisions saved: repeats, and at the mean of each test seconds and dollars. */
  saved: z.number(),
  saved_seconds: z.number(),
  saved_usd: z.number().nullable(),
  /** Tests about which the threshold is not decided. The run then does not pass. */
  undecided: z.number(),
  /** Tests whose repeats did not all run for another reason. The run then does not pass. */
  incomplete: z.number(),
  /** Tests whose repeats differ. */
  flipped: z.number(),
  /** Those of them in an offline lane. The run then fails. */
  defects: z.number(),
});
export type RepeatTotals = z.infer<typeof repeatTotalsSchema>;
