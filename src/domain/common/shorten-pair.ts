/** What is left of a text that is too long. */
export interface Excerpt {
  readonly text: string;
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** Of what stays, so much is before the first difference. */
const BEFORE = 1 / 3;

/**
 * Cuts two texts that are compared, each to at most `limit` characters. What stays is around their first difference, so
 * that the two never read the same.
 */
export function cutPair(one: string, other: string, limit: number): [Excerpt, Excerpt] {
  const from = Math.max(0, countCommon(one, other) - Math.floor(limit * BEFORE));
  return [cutFrom(one, from, limit), cutFrom(other, from, limit)];
}

/** Shortens two texts that are compared, and marks what is left out. */
export function shortenPair(one: string, other: string, limit: number): [string, string] {
  const [first, second] = cutPair(one, other, limit - 2 * MARK.length);
  const mark = ({ text, isCutBefore, isCutAfter }: Excerpt, whole: string) =>
    whole.length <= limit ? whole : `${isCutBefore ? MARK : ''}${text}${isCutAfter ? MARK : ''}`;
  return [mark(first, one), mark(second, other)];
}

/** The shortest part of a text that shows where it belongs: of a long one so much, of a short one all. */
const FEWEST_COMMON = 8;
const LEAST_SHARE = 1 / 3;

/**
 * Cuts a text in which another is sought to what is around the place where it parts from the other: behind the longest
 * beginning of the other that it has. Returns null if it has too little of it: that may be anywhere.
 */
export function cutNear(text: string, sought: string, limit: number): Excerpt | null {
  let size = 0;
  // A text that has a beginning has every shorter one.
  for (let step = 2 ** Math.ceil(Math.log2(sought.length + 1)); step >= 1; step /= 2)
    if (size + step <= sought.length && text.includes(sought.slice(0, size + step))) size += step;
  if (size < Math.min(sought.length, Math.max(FEWEST_COMMON, sought.length * LEAST_SHARE))) return null;
  const end = text.indexOf(sought.slice(0, size)) + size;
  return cutFrom(text, Math.max(0, end - Math.floor(limit * BEFORE)), limit);
}

const MARK = '…';

function cutFrom(text: string, from: number, limit: number): Excerpt {
  const start = Math.max(0, Math.min(from, text.length - limit));
  const end = start + limit;
  return { text: text.slice(start, end), isCutBefore: start > 0, isCutAfter: end < text.length };
}

/** Counts the characters with which both begin. */
function countCommon(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
