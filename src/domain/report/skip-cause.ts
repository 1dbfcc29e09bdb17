import * as z from 'zod';
import { troubleSchema } from '../fault.js';

/** Why a test did not run, as data. What to do about it depends on this. */
export const skipCauseSchema = z.discriminatedUnion('kind', [
  /** Something that the test needs is missing: a program, a login, or a lane that can play it. */
  z.object({
    kind: z.literal('not-ready'),
    /** What runs the test, if this lane or the stand-in for Ralph never does. */
    needs: z.enum(['real-ralph', 'scripted-lane', 'live-lane']).optional(),
  }),
  /** The gate of its backend failed. `gate` is the id of that scenario. */
  z.object({ kind: z.literal('gate-failed'), gate: z.string() }),
  /** The service of its backend failed for good. `test` is the id of the scenario in which it did. */
  z.object({ kind: z.literal('service-lost'), trouble: troubleSchema, test: z.string() }),
  /** The run ended before the test started. */
  z.object({ kind: z.literal('run-ended') }),
  /** `--max-cost` was reached before the test started. */
  z.object({ kind: z.literal('budget-reached') }),
]);
export type SkipCause = z.infer<typeof skipCauseSchema>;

/** What runs a test that this lane or the stand-in for Ralph never does. */
export type SkipNeed = NonNullable<Extract<SkipCause, { kind: 'not-ready' }>['needs']>;
