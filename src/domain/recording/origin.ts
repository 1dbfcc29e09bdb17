import * as z from 'zod';
import { targetSchema } from '../attempt.js';
import { laneSchema, testFields } from '../vocabulary.js';

export const originSchema = z.object({
  /** `replay`: its agents were played again on another Ralph. `regrade`: its evidence was judged again. */
  kind: z.enum(['replay', 'regrade']),
  runId: z.string(),
  /** What to name to do the same again: the id of the run, or the absolute path of a folder or of a recording. */
  source: z.string(),
  /** Whether `source` is a recording, which is of one test. */
  isSingle: z.boolean(),
  lane: laneSchema,
  target: targetSchema,
  /** How its tests ended. A recording that came without its run has none. */
  outcomes: z.array(
    z.object({ ...testFields, outcome: z.enum(['passed', 'failed', 'error', 'known-issue']) }),
  ),
  /** The tests whose scenario asks or checks something else since. */
  changed: z.array(z.string()),
});
/** The run that another one plays or judges again. */
export type Origin = z.infer<typeof originSchema>;
