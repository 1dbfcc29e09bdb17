import type { CheckResult } from '../check.js';
import type { Evidence } from '../evidence/evidence.js';
import { hatsWorn, pendingIn } from '../evidence/facts.js';

/** What rules read of checks. */

/** The event that an agent should have emitted, where the check is about one. */
export function emissionOf({ kind, about }: CheckResult): string | null {
  return kind === 'eventEmitted' ? (about?.topic ?? null) : null;
}

/** The topics that a check is about, in order. */
export function topicsOf({ about = {} }: CheckResult): readonly string[] {
  return about.topics ?? (about.topic === undefined ? [] : [about.topic]);
}

/** The text, or the pattern, that must or must not be there; empty where the check is about none. */
export function wordingOf({ about = {} }: CheckResult): string {
  return about.text ?? about.pattern ?? '';
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

/**
 * The topics that ralph handed on where a check on pending events looks, which may be one iteration or all of them; those
 * after its marker, if that came.
 */
export function handedOn({ kind, about = {} }: CheckResult, evidence: Evidence): readonly string[] {
  const found = evidence.iterations
    .filter(({ number }) => about.iteration === undefined || number === about.iteration)
    .flatMap(({ number }) => pendingIn(evidence, number) ?? [])
    .map(({ topic }) => topic);
  const [marker] = about.topics ?? [];
  if (kind !== 'pendingAfter' || marker === undefined || !found.includes(marker)) return found;
  const at = found.indexOf(marker);
  return found.slice(at + 1, at + 2);
}

/** The hats that a check wants, beside those that had their turns; null where it is about no sequence. */
export function hatsOf(
  { kind, about }: CheckResult,
  evidence: Evidence,
): { readonly wanted: readonly string[]; readonly worn: readonly string[] } | null {
  const wanted = kind === 'hatSequence' ? about?.hats : undefined;
  return wanted === undefined ? null : { wanted, worn: hatsWorn(evidence) };
}

/** Whether a list goes on where another, which is not empty, ends. */
export function goesOn(longer: readonly string[], shorter: readonly string[]): boolean {
  return shorter.length > 0 && shorter.every((item, index) => item === longer[index]);
}
