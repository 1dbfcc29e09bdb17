import * as z from 'zod';
import { compareVersions } from '../common/versions.js';
import { laneSchema } from '../vocabulary.js';

/** A promise of the target that a known version breaks. The scenario asserts the promise, never the bug. */
export const knownIssueSchema = z.object({
  /** The last version of the target that is known to have it; a newer one is held to its promise. */
  upTo: z.string(),
  reason: z.string(),
  /** Where it is written down: an issue, or a page of docs/. */
  link: z.string(),
  /** The checks that it turns red, by their names in `expect`. Any other red check is a failure of its own. */
  breaks: z.array(z.string()).readonly(),
  /** Where it shows, when a stand-in does not have it. */
  lanes: z.array(laneSchema).readonly().optional(),
});
export type KnownIssue<Key extends string = string> = Omit<z.infer<typeof knownIssueSchema>, 'breaks'> & {
  readonly breaks: readonly Key[];
};

/** Whether a target of this version, in this lane, is known to have the issue. */
export function isKnownFor(issue: KnownIssue, run: { version: string; lane: string }): boolean {
  const distance = compareVersions(run.version, issue.upTo);
  return distance !== null && distance <= 0 && (issue.lanes?.some((lane) => lane === run.lane) ?? true);
}
