import { LONGEST_RUN } from './characters.js';

/**
 * A part of a pattern in two forms: the whole part, and a part that the end of the text interrupts. The second form tells
 * a stream what to hold back until more arrives.
 */
export interface PatternPart {
  readonly whole: string;
  readonly begun: string;
}

/** Matches this text, in any case if asked. */
export function literal(text: string, { anyCase = false } = {}): PatternPart {
  const letters = [...text].map((letter) => (anyCase ? eitherCase(letter) : escapePattern(letter)));
  const begun = letters.reduceRight((rest, letter) => `(?:$|${letter}${rest})`, '(?!)');
  return { whole: letters.join(''), begun };
}

/** Matches between `min` and `max` of these characters, written as in a character class. */
export function run(characters: string, min: number, max = LONGEST_RUN): PatternPart {
  return { whole: `[${characters}]{${min},${max}}`, begun: `[${characters}]{0,${max}}$` };
}

/** Matches the parts one after another. */
export function inOrder(...parts: readonly PatternPart[]): PatternPart {
  return {
    whole: parts.map(({ whole }) => whole).join(''),
    begun: parts.reduceRight((rest, { whole, begun }) => `(?:${begun}|${whole}${rest})`, '(?!)'),
  };
}

/** Matches any of the parts; the first that fits wins. */
export function oneOf(...parts: readonly PatternPart[]): PatternPart {
  return {
    whole: `(?:${parts.map(({ whole }) => whole).join('|')})`,
    begun: `(?:${parts.map(({ begun }) => begun).join('|')})`,
  };
}

/** Matches the parts, or nothing. */
export function maybe(...parts: readonly PatternPart[]): PatternPart {
  const { whole, begun } = inOrder(...parts);
  return { whole: `(?:${whole})?`, begun };
}

/** Requires that none of these characters follows. */
export function notBefore(characters: string): PatternPart {
  return { whole: `(?![${characters}])`, begun: '$' };
}

/** Requires that none of these texts, separated by `|`, comes before. */
export function notAfter(texts: string): PatternPart {
  return { whole: `(?<!${texts})`, begun: '(?!)' };
}

/** Requires that one of these characters follows. */
export function before(characters: string): PatternPart {
  return { whole: `(?=[${characters}])`, begun: '$' };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function eitherCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  return lower === upper ? escapePattern(letter) : `[${lower}${upper}]`;
}
