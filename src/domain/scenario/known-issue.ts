import * as z from 'zod';
import type { CheckResult } from '../check.js';
import { KnownError } from '../common/known-error.js';
import { compareVersions } from '../common/versions.js';
import { laneSchema } from '../vocabulary.js';

/** What a broken check shows: a text, or a regular expression in JavaScript notation. */
export const shownTextSchema = z
  .string()
  .refine(isReadable, 'expected a regular expression that JavaScript can read');

export const knownIssueSchema = z.object({
  /** The last version of the target that is known to have the issue. Newer versions must keep the promise. */
  upTo: z.string(),
  /** What the target does wrong. */
  reason: z.string(),
  /** Where it is documented: an issue, or a page of docs/. */
  link: z.string(),
  /** The checks that it makes fail, by their names in `expect`. If another check fails, the scenario fails. */
  breaks: z.array(z.string()).readonly(),
  /**
   * What each of these checks then shows: the text after "Received:", or a regular expression in JavaScript notation
   * (`/source/flags`).
   */
  shows: z.record(z.string(), shownTextSchema).readonly(),
  /** The lanes in which the issue shows; all by default. */
  lanes: z.array(laneSchema).readonly().optional(),
});
/** A promise that certain known versions of the target break. The scenario asserts the promise, never the bug. */
export type KnownIssue = z.infer<typeof knownIssueSchema>;

/** What an author writes about a known issue. */
export type KnownIssueDefinition<Key extends string = string> = Omit<KnownIssue, 'breaks' | 'shows'> & {
  /**
   * The checks that it makes fail, by their names in `expect`, each with what reports then print after "Received:": the
   * whole text, or a pattern. If another check fails, or one of these in another way, the scenario fails.
   */
  readonly breaks: { readonly [Name in Key]?: string | RegExp };
};

/** Turns what an author wrote into the form that journals keep. `name` says whose it is in an error. */
export function recordKnownIssue({ breaks, ...issue }: KnownIssueDefinition, name: string): KnownIssue {
  const entries = Object.entries(breaks ?? {}).filter(([, shows]) => shows !== undefined);
  if (Array.isArray(breaks) || entries.length === 0) {
    throw new KnownError(
      `${name}: knownIssue.breaks: expected the checks that break, each with what it then shows, found ${Array.isArray(breaks) ? 'a list' : 'none'}.`,
      { hint: 'Write { ends: /exit code 1/ }: the text or pattern that reports print after "Received:".' },
    );
  }
  if (compareVersions(issue.upTo, issue.upTo) === null)
    throw new KnownError(
      `${name}: knownIssue.upTo: expected a version such as "2.11.0", found ${JSON.stringify(issue.upTo)}.`,
    );
  return {
    ...issue,
    breaks: entries.map(([key]) => key),
    shows: Object.fromEntries(entries.map(([key, shows]) => [key, `${shows}`])),
  };
}

/** A known issue that shows exactly as declared in a version that should no longer have it. */
export const lastingIssueSchema = z.object({ upTo: z.string(), version: z.string() });
export type LastingIssue = z.infer<typeof lastingIssueSchema>;

/** Says that a known issue outlived its last version, and what to do. */
export function describeLasting({ upTo, version }: LastingIssue): string {
  return `known up to ${upTo}; still so in ${version}: raise \`upTo\` or fix it`;
}

/** Returns the issue if its version is too old to excuse what shows exactly as declared; null otherwise. */
export function findLasting(
  issue: KnownIssue,
  checks: readonly CheckResult[],
  run: { version: string; lane: string },
): LastingIssue | null {
  const broken = checks.filter(({ passed }) => !passed);
  const isWhole = issue.breaks.every((key) => broken.some((check) => check.key === key));
  const isNewer = (compareVersions(run.version, issue.upTo) ?? 0) > 0;
  const isHere = issue.lanes?.some((lane) => lane === run.lane) ?? true;
  const isAsKnown = broken.every((check) => isBrokenAsKnown(issue, check));
  return isNewer && isHere && isWhole && isAsKnown ? { upTo: issue.upTo, version: run.version } : null;
}

/** Whether the target is known to have the issue in this version and lane. */
export function isKnownFor(issue: KnownIssue, run: { version: string; lane: string }): boolean {
  const distance = compareVersions(run.version, issue.upTo);
  return distance !== null && distance <= 0 && (issue.lanes?.some((lane) => lane === run.lane) ?? true);
}

/**
 * Whether a failed check is broken exactly as the issue breaks it. An issue says so in the words of reports, so that
 * breaking in another way is noticed.
 */
export function isBrokenAsKnown({ shows }: Pick<KnownIssue, 'shows'>, check: CheckResult): boolean {
  const known = shows[check.key];
  return !check.passed && known !== undefined && matches(known, `${check.actual}`);
}

/**
 * Lists how the checks that the issue breaks differ from what is known, as `name: what it shows`. A check that passes
 * differs too, unless `agentVaries`: a model may find a way around the issue.
 */
export function findDifferences(
  issue: KnownIssue,
  checks: readonly CheckResult[],
  { agentVaries }: { readonly agentVaries: boolean },
): string[] {
  return checks
    .filter((check) => issue.breaks.includes(check.key) && !isBrokenAsKnown(issue, check))
    .filter(({ passed }) => !passed || !agentVaries)
    .map((check) => `${check.key}: ${check.passed ? 'passes' : check.actual}`);
}

function matches(known: string, actual: string): boolean {
  return readPattern(known)?.test(actual) ?? actual === known;
}

/** Reads a regular expression in JavaScript notation. Returns null for a plain text. */
function readPattern(known: string): RegExp | null {
  const { source, flags } = /^\/(?<source>.+)\/(?<flags>[a-z]*)$/s.exec(known)?.groups ?? {};
  return source === undefined ? null : new RegExp(source, flags);
}

function isReadable(known: string): boolean {
  try {
    readPattern(known);
    return true;
  } catch {
    return false;
  }
}
