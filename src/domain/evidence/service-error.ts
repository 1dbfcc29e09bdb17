import * as z from 'zod';

export const serviceErrorSchema = z.object({
  /** The iteration, or the turn of a conversation, in which it occurred. */
  iteration: z.number(),
  /** The HTTP status; null if the service did not answer. */
  status: z.number().nullable(),
  /** The CLI's own word for it, such as `rate_limit`. */
  kind: z.string().nullable(),
  message: z.string(),
  /** True if the CLI tried again by itself and got an answer. */
  overcome: z.boolean(),
  /** How long the CLI paused before it tried again, all in all. */
  waitedSeconds: z.number(),
  /** The last of these pauses. It is as long as the service asks for, if it asks. */
  retryAfterSeconds: z.number().optional(),
  /** When a limit resets, if the service says so. */
  resetsAt: z.string().optional(),
});
/**
 * An error of the service behind an agent CLI, as the CLI itself reported it. It never comes from the words of an agent,
 * who may talk about errors.
 */
export type ServiceError = z.infer<typeof serviceErrorSchema>;

/** An error before it is known in which iteration it occurred. */
export type PlacelessError = Omit<ServiceError, 'iteration'>;
