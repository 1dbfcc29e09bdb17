import * as z from 'zod';

const tracedPendingSchema = z.object({
  topic: z.string(),
  payload: z.string(),
  /** The hats with a trigger that matches the topic, in the order of their ids. */
  matching_hats: z.array(z.string()),
});

const tracedPromptSchema = z.object({
  characters: z.number(),
  /** The headings of the prompt in order, each with the length of the text below it. */
  sections: z.array(z.object({ heading: z.string(), characters: z.number() })),
  sections_left_out: z.number(),
  /** The text of the sections that the failed check is about. */
  excerpts: z.array(z.object({ heading: z.string(), text: z.string() })),
});

const tracedIterationSchema = z.object({
  number: z.number(),
  /** The hat that Ralph chose; `ralph` if it chose none. Null if it did not report one. */
  hat: z.string().nullable(),
  /** The events that Ralph handed to the agent. Without a logged prompt: those recorded in the iteration before. */
  pending: z.array(tracedPendingSchema),
  pending_left_out: z.number(),
  /**
   * The hats that the pending events activate by the configuration; `ralph` if none does. Null if the hats or the events
   * are unknown. It does not count activations, and does not know which hat Ralph names as the receiver of an event.
   */
  expected_hats: z.array(z.string()).nullable(),
  /** Null if Ralph logged no prompt, and for the neighbor of the divergent iteration. */
  prompt: tracedPromptSchema.nullable(),
  /**
   * The text blocks of the answer, as the agent printed them: nothing is between two of them. A CLI that prints plain text
   * has one block.
   */
  said: z.array(z.string()),
  said_left_out: z.number(),
  tool_calls: z.array(
    z.object({ name: z.string(), input: z.string(), result: z.string().nullable(), is_error: z.boolean() }),
  ),
  tool_calls_left_out: z.number(),
  /** What was recorded in the events file in the time of this iteration. */
  events: z.array(
    z.object({ topic: z.string(), payload: z.string().nullable(), emitted_by: z.enum(['ralph', 'agent']) }),
  ),
  events_left_out: z.number(),
});
export type TracedIteration = z.infer<typeof tracedIterationSchema>;

/** The iteration in which a run first went wrong, shown as a whole. Long texts are cut and say by how much. */
export const traceSchema = z.object({
  /** The key of the failed check about the earliest moment of the run. */
  check: z.string(),
  /** The number of the iteration in which that check shows the problem. */
  iteration: z.number(),
  /** Set if the decision fell between two iterations: their numbers. `iterations` then has both. */
  decided_between: z.tuple([z.number(), z.number()]).nullable(),
  iterations: z.array(tracedIterationSchema),
  /** What followed the last of these iterations. */
  after: z.object({
    /** The hat of the next iteration; null if there was none. */
    next_hat: z.string().nullable(),
    /** Why the loop ended, if it ended after these iterations. */
    termination_reason: z.string().nullable(),
    /** The tasks that were open when the run was over. */
    open_tasks: z.array(z.string()),
  }),
});
export type IterationTrace = z.infer<typeof traceSchema>;
