import type { HeldPromise } from '../../../../domain/contract.js';
import type { Direction } from '../observe/words.js';

/** Words of promises that something does not happen, or only so much of it. */
const LIMITS =
  /\b(?:no|not|none|never|nothing|neither|nobody|only|alone|once|except|until|unless|instead|at most|up to|exactly|refuse[sd]?|rejected|dropped|drops|ignored|ignores|skipped|skips|hides?|hidden|removed?|removes|replaces?|replaced|limit(?:s|ed)?|leaves out|left out|gone|disabled|off|other|own|wins|first|last|ends?|stops?|stopped|fails?|failed|failures?|killed|error|errors)\b/i;

/** Words of promises about who gets something, and how often. */
const ONCE = /\b(?:once|twice|again|first time|delivered|goes to|in one)\b/i;

/** Words of promises that forbid only more of something: "and not to Ralph as well". */
const NO_MORE = /\bnot\b[^.]{0,60}\bas well\b/i;

/** Words of promises that a loop goes on, or that a completion does not count yet. */
const GOES_ON =
  /\b(?:goes on|go on|refused|rejected|until|forgotten|holds? back|declared again)\b|\b(?:do|does|is) (?:not|no) (?:end|stop|complete|count|completion)/i;

/** Words of promises that something ends a loop, or is not in the way of its end. */
const COMES_TO_AN_END =
  /\b(?:ends?|completes?|completion|terminates?|stops?|acknowledges|limit|times? out)\b|\bdo(?:es)? not (?:block|hide|stand)/i;

/**
 * Keeps the promises that a run can break in this direction: if too much happened, no promise that something happens; if
 * something is missing, no promise that there is no more of it; if a loop ended too early, no promise that something ends it; if it went on too long, no promise that it goes on.
 */
export function fitting(promises: readonly HeldPromise[], direction: Direction): readonly HeldPromise[] {
  switch (direction) {
    case 'excess':
      return promises.filter(({ promise }) => LIMITS.test(promise));
    case 'again':
      return prefer(
        promises.filter(({ promise }) => LIMITS.test(promise)),
        ({ promise }) => ONCE.test(promise),
      );
    case 'early':
      return prefer(promises, ({ promise }) => GOES_ON.test(promise) || !COMES_TO_AN_END.test(promise));
    case 'late':
      return prefer(promises, ({ promise }) => !GOES_ON.test(promise));
    case 'missing':
      return promises.filter(({ promise }) => !NO_MORE.test(promise));
    case 'other':
      return promises;
    default:
      return direction satisfies never;
  }
}

/** Returns what a test selects, or everything if it selects nothing. */
function prefer<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly Item[] {
  const chosen = items.filter(test);
  return chosen.length > 0 ? chosen : items;
}
