import type { CheckResult } from '../check.js';
import { toLine } from '../checks/text.js';

/** What rules read of checks. */

/** The most characters of each text of a check in a sentence. */
const MOST_TEXT = 140;

/** Says which claim of a check does not hold. What it expected and received is in the list of checks, beside every headline. */
export function describeCheck({ name }: CheckResult): string {
  return `Failed check: ${cutLine(toClause(`${name}`))}.`;
}

function toClause(text: string): string {
  return toLine(text).replace(/\.$/, '');
}

function cutLine(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT - 1)}…`;
}

/** The event that an agent should have emitted, where the check is about one. */
export function emissionOf({ kind, about }: CheckResult): string | null {
  return kind === 'eventEmitted' ? (about?.topic ?? null) : null;
}

/** The topics that a check is about, in order. */
export function topicsOf({ about = {} }: CheckResult): readonly string[] {
  return about.topics ?? (about.topic === undefined ? [] : [about.topic]);
}

/** Whether a text has the text or the pattern that the check is about; false if it is about none. */
export function hasWording(text: string, { about = {} }: CheckResult): boolean {
  if (about.text !== undefined) return about.text !== '' && text.includes(about.text);
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(about.pattern ?? '') ?? [];
  return source !== undefined && new RegExp(source, flags?.replace(/[gy]/g, '')).test(text);
}

/** The event that a check wants to see in a prompt, in the words in which ralph hands it on. */
export function awaitedEvent({ kind, about }: CheckResult): { topic: string; payload: string } | null {
  if (kind !== 'promptContained') return null;
  const found = /^Event: (\S+)(?: - ([\s\S]*?))?\n?$/.exec(about?.text ?? '');
  const topic = found?.[1];
  return topic === undefined ? null : { topic, payload: found?.[2] ?? '' };
}
