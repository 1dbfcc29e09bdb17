import { inOrder, literal, oneOf, type PatternPart, run } from './parts.js';

/** A family of credentials that can be recognized by their form. */
export interface Shape {
  readonly kind: string;
  /** The texts it starts with, in lowercase. The scan stops only at these. */
  readonly starts: readonly string[];
  /** Matches at `lastIndex`. */
  readonly pattern: RegExp;
  /** Whether the first group of the pattern stays readable, and only what follows it is hidden. */
  readonly keeps: boolean;
  /** Matches at `lastIndex` if more text could complete the pattern. */
  readonly begun: RegExp;
  /** Whether it may start in the middle of a word. */
  readonly insideWords: boolean;
  /** Decides about what the pattern found. Only little of what it refuses is looked at again: the scan stays linear. */
  readonly accept: (hidden: string) => boolean;
}

interface ShapeRules {
  readonly anyCase?: boolean;
  readonly insideWords?: boolean;
  /** What comes before, as a lookbehind of limited length. */
  readonly behind?: string;
  /** What comes first and stays readable, together with the start. */
  readonly keep?: PatternPart;
  readonly accept?: Shape['accept'];
}

/** Describes a family: the words it starts with, separated by spaces, and what follows them and is hidden. */
export function shape(
  kind: string,
  starts: string | readonly string[],
  hide: PatternPart,
  { anyCase = false, insideWords = false, behind = '', keep, accept = () => true }: ShapeRules = {},
): Shape {
  const words = typeof starts === 'string' ? starts.split(' ') : starts;
  const start = oneOf(...words.map((text) => literal(text, { anyCase })));
  const first = keep === undefined ? start : inOrder(start, keep);
  const shown = keep === undefined ? first.whole : `(${first.whole})`;
  return {
    kind,
    starts: words.map((text) => text.toLowerCase()),
    pattern: new RegExp(behind + shown + hide.whole, 'y'),
    keeps: keep !== undefined,
    begun: new RegExp(behind + inOrder(first, hide).begun, 'y'),
    insideWords,
    accept,
  };
}

/** Describes a key with a prefix: what follows is a run of characters, at least `min`, that looks random. */
export function key(kind: string, starts: string, characters: string, min: number, max?: number): Shape {
  return shape(kind, starts, run(characters, min, max), { accept: looksRandom });
}

/** Whether a text may be a key. `sk-xxxxxxxx…` and `sk-your-key-here` are not. */
export function looksRandom(text: string): boolean {
  const mixed = /\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text));
  return mixed && new Set(text.slice(-20)).size >= 6;
}
