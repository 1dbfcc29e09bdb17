import type { ReportAssertion, ReportResult } from '../../domain/report/report.js';
import { splitFailed } from '../model/divergence.js';
import { linePair, oneLine } from '../text/safe-text.js';
import { countOf } from './words.js';

/** Words for tests that did not pass, in formats without markup. */

/**
 * Describes what failed in one sentence: the harness's own error, or the first failed check. If it is longer than
 * `limit`, it drops what was expected, because the name usually says it: what was found must stay.
 */
export function describeBroken(
  result: Pick<ReportResult, 'error' | 'assertions' | 'outcome' | 'context' | 'trace'>,
  limit = Number.POSITIVE_INFINITY,
): string {
  const { error, assertions, outcome } = result;
  if (error !== null) return error;
  const broken = assertions.filter(({ passed }) => !passed);
  const { shown, consequences } = splitFailed(result);
  const [first] = consequences.length === 0 ? broken : shown;
  if (first === undefined) return `${outcome}, but no check failed`;
  const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : '';
  const whole = `${describeCheck(first)}${more}`;
  if (whole.length <= limit) return whole;
  const room = limit - more.length - ': received '.length;
  const most = Math.max(Math.floor(room * 0.45), room - first.name.length);
  const [, actual] = linePair(first.expected, first.actual, most);
  return `${oneLine(first.name, room - actual.length)}: received ${actual}${more}`;
}

/** Describes a check on one line: name, expected and actual. */
function describeCheck({ name, expected, actual }: ReportAssertion): string {
  return `${name}: expected ${expected}, received ${actual}`;
}

/** The most characters of a prompt without an answer, with why the rules do not fit it. */
export const UNANSWERED_TEXT = 3_000;

/** Counts the checks that failed because a prompt got no answer. */
export function describeConsequences({ length }: readonly unknown[]): string {
  return `${countOf(length, 'more check')} failed as a consequence`;
}

/** Explains why a broken promise does not fail the run. */
export function describeKnownIssue({ known_issue }: ReportResult): string {
  return known_issue === null
    ? 'known issue'
    : `known issue up to ${known_issue.up_to}: ${known_issue.reason} (${known_issue.link})`;
}

/** Whether a test passed although its target is known to break it. */
export function isGoodNews({ passed, known_issue_gone }: ReportResult): boolean {
  return passed && known_issue_gone;
}

/** Says what to do about a known issue that no longer occurs. */
export function describeGone({ known_issue }: ReportResult): string {
  const [reason, upTo] = [known_issue?.reason ?? 'unknown', known_issue?.up_to ?? 'unknown'];
  return `known issue no longer occurs: ${reason}. Remove knownIssue from the scenario, or lower its upTo (${upTo}).`;
}
