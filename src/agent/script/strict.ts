import * as z from 'zod';
import { findNearest } from '../../domain/common/nearest.js';

/**
 * A mapping that refuses keys it does not know and names the one that was probably meant. `explain` may know better:
 * it gets the keys and all that was found.
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

/** One word of a list; a misspelt one is told which was probably meant. */
export function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: ({ input }) => refuseWord(input, words) });
}

/** What to say of a value that is none of the words. */
export function refuseWord(found: unknown, words: readonly string[]): string {
  const nearest = typeof found === 'string' ? findNearest(found, words) : undefined;
  const expected = nearest === undefined ? `expected one of ${words.join(', ')}` : meant(nearest);
  return `${JSON.stringify(found) ?? 'nothing'} is not known: ${expected}`;
}

/** What to say of keys that a mapping does not have. */
export function refuseKeys(found: readonly string[], known: readonly string[]): string {
  return found
    .map((key) => {
      const nearest = findNearest(key, known);
      const help = nearest === undefined ? `expected one of ${known.join(', ')}` : meant(nearest);
      return `the key "${key}" is not known: ${help}`;
    })
    .join('; ');
}

/** Whether a value is a mapping, as YAML, TOML and JSON have it. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function meant(nearest: string): string {
  return `did you mean "${nearest}"?`;
}
