import * as z from 'zod';

/** Why a test did not run, as data beside the sentence: what to do about it depends on this. */
export const skipCauseSchema = z.discriminatedUnion('kind', [
  /** Something that it needs is missing here: a program, a login, a lane that can play it. */
  z.object({ kind: z.literal('not-ready') }),
  /** The gate of its backend failed: the id of that scenario. */
  z.object({ kind: z.literal('gate-failed'), gate: z.string() }),
  /** The run ended before its turn came. */
  z.object({ kind: z.literal('run-ended') }),
]);
export type SkipCause = z.infer<typeof skipCauseSchema>;
