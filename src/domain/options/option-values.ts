import { KnownError } from '../common/known-error.js';
import { findNearest } from '../common/nearest.js';

/** Reads the text of an option. `flag` is how the user named it: `--jobs`. */
export type ReadValue<Value> = (text: string, flag: string) => Value;

/** Reads one of a few names. */
export function readOneOf<const Name extends string>(names: readonly Name[]): ReadValue<Name> {
  return (text, flag) => {
    const found = names.find((name) => name === text);
    if (found !== undefined) return found;
    throw new KnownError(`${flag} ${text}: expected ${either(names)}.`, adviseNearest(text, names));
  };
}

/** Reads a comma-separated list of names. */
export function readListOf<const Name extends string>(names: readonly Name[]): ReadValue<Name[]> {
  return (text, flag) =>
    text.split(',').map((word) => {
      const found = names.find((name) => name === word.trim());
      if (found !== undefined) return found;
      throw new KnownError(
        `${flag} ${text}: expected a comma-separated list of ${names.join(', ')}; found "${word}".`,
        adviseNearest(word, names),
      );
    });
}

/** Reads a whole number. */
export function readWhole(minimum: number, most = Number.MAX_SAFE_INTEGER): ReadValue<number> {
  return (text, flag) => {
    if (!/^\d+$/.test(text) || Number(text) < minimum)
      throw new KnownError(
        `${flag} ${text}: expected a whole number of at least ${minimum}, such as ${flag} ${Math.max(minimum, 3)}.`,
      );
    if (Number(text) <= most) return Number(text);
    throw new KnownError(`${flag} ${text}: expected at most ${most}.`);
  };
}

/** Reads `90`, `90s` or `2m` as seconds. */
export const readTime: ReadValue<number> = (text, flag) => {
  const match = /^(\d+(?:\.\d+)?)(s|m)?$/.exec(text.trim());
  const read = Number(match?.[1]) * (match?.[2] === 'm' ? 60 : 1);
  if (match !== null && read > 0 && Number.isFinite(read)) return read;
  throw new KnownError(`${flag} ${text}: expected a time such as 90, 90s or 2m.`);
};

/** Reads `5`, `0.50` or `$5` as dollars. */
export const readAmount: ReadValue<number> = (text, flag) => {
  const usd = Number(/^\$?(\d+(?:\.\d+)?)$/.exec(text.trim())?.[1]);
  if (usd > 0) return usd;
  throw new KnownError(`${flag} ${text}: expected an amount in US dollars such as 5 or 0.50.`);
};

/** Reads a rate between 0 and 1. */
export const readRate: ReadValue<number> = (text, flag) => {
  const read = /^\d?\.\d+$/.test(text) ? Number(text) : Number.NaN;
  if (read > 0 && read < 1) return read;
  throw new KnownError(`${flag} ${text}: expected a rate between 0 and 1 such as 0.9.`);
};

/** Joins words as `a, b or c`. */
export function either(words: readonly string[]): string {
  const [last = '', ...others] = words.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
}

function adviseNearest(word: string, names: readonly string[]): { readonly hint?: string } {
  const meant = findNearest(word, names);
  return meant === undefined ? {} : { hint: `Did you mean ${meant}?` };
}
