import * as z from 'zod';
import { heldPromiseSchema } from '../contract.js';
import type { Diagnosis } from './analysis.js';

/** What probably made one or more tests fail. */
export const causeSchema = z.object({
  /** The hypothesis of the diagnosis of the first test. */
  hypothesis: z.string(),
  blames: z.string(),
  rule: z.string(),
  /** The areas of Ralph's contract that it points to. */
  areas: z.array(z.string()),
  /** What Ralph promised and did not do, in these tests. */
  promises: z.array(heldPromiseSchema),
  /** The tests, such as `hooks-run [claude]`; the first one shows the cause best. */
  tests: z.array(z.string()),
  /** What all these tests have and no test that passed. */
  contrast: z.array(z.string()),
});
export type FailureCause = z.infer<typeof causeSchema>;

/**
 * Failures with the same key have the same cause: Ralph reports the same error, or they point to the same area of Ralph, or
 * the same rule explains them.
 */
export function causeKey({ areas: [area], rule, root_cause_hypothesis }: Diagnosis): string {
  if (SPEAKS_FOR_ITSELF.has(rule)) return `${rule}: ${root_cause_hypothesis}`;
  return area === undefined ? rule : `area ${area}`;
}

/** Rules whose hypothesis quotes an error of Ralph: another error is another cause. */
const SPEAKS_FOR_ITSELF: ReadonlySet<string> = new Set([
  'target-crashed',
  'target-gave-up',
  'configuration-rejected',
]);
