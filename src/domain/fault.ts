import * as z from 'zod';
import type { CheckResult } from './check.js';
import type { Evidence } from './evidence/evidence.js';

export const troubleSchema = z.enum(['rate-limit', 'overload', 'login', 'network']);
/** What can go wrong between an agent CLI and its service. */
export type Trouble = z.infer<typeof troubleSchema>;

export const faultSchema = z.object({
  /**
   * `target`: Ralph (in a conversation: the plugin or the CLI under test) broke a promise. `agent`: the target did its
   * part, and the agent did something else than it was asked. `infrastructure`: the service did not answer. `recording`: a
   * recorded agent was played again and was sent something else than it had answered.
   */
  whose: z.enum(['target', 'agent', 'infrastructure', 'recording']),
  /** The facts that decide it, one sentence each. If it is the target's only because of a doubt: what stays open. */
  because: z.array(z.string()),
  /** Set for infrastructure. */
  trouble: troubleSchema.optional(),
  /** How long the service asks to wait, if it says so. */
  retryAfterSeconds: z.number().optional(),
});
/** Whose fault it is that an attempt did not pass. */
export type Fault = z.infer<typeof faultSchema>;

/** What a fault is decided by. It never includes the lane: a script and a model are judged alike. */
export interface FaultFacts {
  readonly checks: readonly CheckResult[];
  readonly evidence: Evidence;
  /** The names of the checks that a known issue of the target breaks anyway. */
  readonly excused?: readonly string[];
}
