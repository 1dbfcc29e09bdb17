import * as z from 'zod';
import { findNearest } from './nearest.js';

/**
 * Makes a mapping that rejects unknown keys and suggests the closest known one. `explain` can replace that message; it
 * gets the keys and the whole value.
 */
export function mapping<Shape extends z.ZodRawShape>(
  shape: Shape,
  explain: (keys: readonly string[], found: unknown) => string = (keys) =>
    refuseKeys(keys, Object.keys(shape)),
) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? explain(issue.keys, issue.input) : undefined),
  });
}

/** Accepts one word of a list; for a misspelled one, suggests the closest. */
export function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: ({ input }) => refuseWord(input, words) });
}

/** Explains that a value is not one of the words. */
export function refuseWord(found: unknown, words: readonly string[]): string {
  const nearest = typeof found === 'string' ? findNearest(found, words) : undefined;
  const expected = nearest === undefined ? `expected one of ${words.join(', ')}` : meant(nearest);
  return `unknown value ${JSON.stringify(found) ?? '(none)'}: ${expected}`;
}

/** Explains that a mapping does not have these keys. */
export function refuseKeys(found: readonly string[], known: readonly string[]): string {
  return found
    .map((key) => {
      const nearest = findNearest(key, known);
      const help = nearest === undefined ? `expected one of ${known.join(', ')}` : meant(nearest);
      return `unknown key "${key}": ${help}`;
    })
    .join('; ');
}

function meant(nearest: string): string {
  return `did you mean "${nearest}"?`;
}
