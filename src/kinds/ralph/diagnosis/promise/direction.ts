import type { HeldPromise } from '../../../../domain/contract.js';
import type { Direction } from '../observe/words.js';

/** Words of promises that something does not happen, or only so much of it. */
const LIMITS =
  /\b(?:no|not|none|never|nothing|neither|nobody|only|alone|once|except|until|unless|instead|at most|up to|exactly|refuse[sd]?|rejected|dropped|drops|ignored|ignores|skipped|skips|hides?|hidden|removed?|removes|replaces?|replaced|limit(?:s|ed)?|leaves out|left out|gone|disabled|off|other|own|wins|first|last|ends?|stops?|stopped|fails?|failed|error|errors)\b/i;

/** Words of promises that a loop goes on, or that a completion does not count yet. */
const GOES_ON =
  /\b(?:goes on|go on|refused|rejected|until|forgotten|holds? back|declared again)\b|\b(?:do|does|is) (?:not|no) (?:end|stop|complete|count|completion)/i;

/** Words of promises that something ends a loop, or is not in the way of its end. */
const COMES_TO_AN_END =
  /\b(?:ends?|completes?|completion|terminates?|stops?|acknowledges|limit|times? out)\b|\bdo(?:es)? not (?:block|hide|stand)/i;

/**
 * Keeps the promises that a run can break in this direction: if too much happened, no promise that something happens; if a
 * loop ended too early, no promise that something ends it; if it went on too long, no promise that it goes on.
 */
export function fitting(promises: readonly HeldPromise[], direction: Direction): readonly HeldPromise[] {
  switch (direction) {
    case 'excess':
      return promises.filter(({ promise }) => LIMITS.test(promise));
    case 'early':
      return prefer(promises, ({ promise }) => GOES_ON.test(promise) || !COMES_TO_AN_END.test(promise));
    case 'late':
      return prefer(promises, ({ promise }) => !GOES_ON.test(promise));
    case 'missing':
    case 'other':
      return promises;
    default:
      return direction satisfies never;
  }
}

/** Puts first what more checks are about and what shares more words with what was seen. */
export function rank(held: readonly HeldPromise[], seen: string): HeldPromise[] {
  const text = seen.toLowerCase();
  const score = ({ promise }: HeldPromise) =>
    2 * held.filter((one) => one.promise === promise).length +
    wordsOf(promise).filter((word) => text.includes(word)).length;
  const unique = [...new Map(held.map((one) => [one.promise, one])).values()];
  return unique.sort((a, b) => score(b) - score(a));
}

/** The words that can tell one promise from another: names, and words of five letters or more. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z][\w./-]*[a-z]/g) ?? [];
  return [...new Set(words.filter((word) => word.length > 4 && !COMMON.has(word)))];
}

const COMMON: ReadonlySet<string> = new Set([
  'after',
  'before',
  'every',
  'expected',
  'expects',
  'first',
  'iteration',
  'iterations',
  'prompt',
  'ralph',
  'there',
  'which',
]);

/** Returns what a test selects, or everything if it selects nothing. */
function prefer<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly Item[] {
  const chosen = items.filter(test);
  return chosen.length > 0 ? chosen : items;
}
