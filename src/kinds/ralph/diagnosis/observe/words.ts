import type { CheckResult, Sentence } from '../../../../domain/check.js';
import { quote } from '../../../../domain/checks/text.js';
import { shortenPair } from '../../../../domain/common/shorten-pair.js';
import type { Complaint } from '../../../../domain/diagnosis/complaint.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';

/**
 * Which way a run went wrong. `missing`: something did not happen. `excess`: something happened that must not, or more
 * than expected. `again`: the same thing happened more than once. `early` and `late`: the loop ended too early or too late. `other`: the facts do not tell.
 */
export type Direction = 'missing' | 'excess' | 'again' | 'early' | 'late' | 'other';

/** What a failed check shows, in one sentence: only what was seen and what was expected. */
export interface CheckObservation {
  readonly text: string;
  readonly direction: Direction;
  /** The command that shows this correctly: what it shows is wrong, so promises about others come first. */
  readonly shown?: string;
  /** What Ralph itself complained of there. */
  readonly complaint?: Complaint;
}

/** Observes one kind of check. Null if the two texts of the check say as much. */
export type Observe = (check: CheckResult, evidence: Evidence) => CheckObservation | null;

/** The most characters of a quoted text. */
export const MOST_TEXT = 140;

/** What every check can say: the two texts that reports print, shortened. */
export function describePlainly({ expected, actual }: CheckResult): CheckObservation {
  const [wanted, found] = shortenPair(toLine(expected), toLine(actual), MOST_TEXT);
  return {
    text: `Expected: ${wanted}. Received: ${found}.`,
    direction: 'other',
  };
}

/** Shortens a text to one line. */
export function toShortLine(text: Sentence, most = MOST_TEXT): string {
  const line = toLine(text);
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

function toLine(text: Sentence): string {
  return `${text}`.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
}

/** Formats the text or the pattern that a check is about. */
export function showWanted({ about = {} }: CheckResult): string {
  if (about.pattern !== undefined) return toShortLine(about.pattern, 100);
  return quote(about.text ?? '', 80);
}

/** Says when and why the loop ended. */
export function describeEnd({ iterations, termination }: Evidence): string {
  const last = iterations.at(-1);
  const when = last === undefined ? 'before its first iteration' : `after iteration ${last.number}`;
  return `The loop ended ${when} with ${termination?.reason ?? 'no recorded reason'}.`;
}
