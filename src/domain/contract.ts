import * as z from 'zod';

/** A promise that a check holds Ralph to: a row of docs/ralph-contract.md. */
export const heldPromiseSchema = z.object({
  /** The heading that it is under, such as `exit-codes`. */
  area: z.string(),
  /** One sentence about what Ralph does. */
  promise: z.string(),
  /** Where Ralph decides it: a crate and a path, such as `ralph-core/src/event_loop/mod.rs`, and a name in it. */
  source: z.string(),
  /** The parts of Ralph's surface that it is about, such as `config event_loop.max_iterations`. */
  about: z.array(z.string()).readonly().optional(),
  /** How many scenarios hold Ralph to it, and to anything decided in that place, if a contract counts them. */
  holders: z.object({ promise: z.number(), source: z.number() }).readonly().optional(),
});
export type HeldPromise = Readonly<z.infer<typeof heldPromiseSchema>>;
