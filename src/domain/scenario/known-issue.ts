import * as z from 'zod';
import { compareVersions } from '../common/versions.js';
import { laneSchema } from '../vocabulary.js';

export const knownIssueSchema = z.object({
  /** The last version of the target that is known to have the issue. Newer versions must keep the promise. */
  upTo: z.string(),
  /** What the target does wrong. */
  reason: z.string(),
  /** Where it is documented: an issue, or a page of docs/. */
  link: z.string(),
  /** The checks that it makes fail, by their names in `expect`. If another check fails, the scenario fails. */
  breaks: z.array(z.string()).readonly(),
  /** The lanes in which the issue shows; all by default. */
  lanes: z.array(laneSchema).readonly().optional(),
});
/** A promise that certain known versions of the target break. The scenario asserts the promise, never the bug. */
export type KnownIssue<Key extends string = string> = Omit<z.infer<typeof knownIssueSchema>, 'breaks'> & {
  readonly breaks: readonly Key[];
};

/** Whether the target is known to have the issue in this version and lane. */
export function isKnownFor(issue: KnownIssue, run: { version: string; lane: string }): boolean {
  const distance = compareVersions(run.version, issue.upTo);
  return distance !== null && distance <= 0 && (issue.lanes?.some((lane) => lane === run.lane) ?? true);
}
