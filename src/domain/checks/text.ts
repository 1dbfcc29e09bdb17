import type { About } from '../check.js';
import { cutNear, cutPair, type Excerpt } from '../common/shorten-pair.js';

/** What a check looks for in a text: a literal text, or a pattern. */
export type Wanted = string | RegExp;

/** Whether a text contains the wanted text or matches the wanted pattern. */
export function holds(text: string, wanted: Wanted): boolean {
  return typeof wanted === 'string'
    ? text.includes(wanted)
    : new RegExp(wanted.source, wanted.flags.replace(/[gy]/g, '')).test(text);
}

/** Formats a wanted text or pattern for a sentence. */
export function show(wanted: Wanted): string {
  return typeof wanted === 'string' ? JSON.stringify(wanted) : String(wanted);
}

/** Returns wanted texts and patterns as facts. Keeps only the first of several patterns. */
export function aboutWanted(...wanted: readonly (Wanted | undefined)[]): About {
  const texts = wanted.filter((one) => typeof one === 'string');
  const [text] = texts;
  const pattern = wanted.find((one) => one instanceof RegExp);
  return {
    ...(text === undefined ? {} : texts.length === 1 ? { text } : { texts }),
    ...(pattern === undefined ? {} : { pattern: String(pattern) }),
  };
}

/** Shortens a text for a sentence: its beginning and end, on one line. */
export function excerpt(text: string | null | undefined, length = 160): string {
  if (text === null || text === undefined) return 'nothing';
  const line = toLine(text);
  return line === '' ? 'empty text' : quote(line, length);
}

/** Shortens a text that is compared with another: if its beginning is the same, to what is around the first difference. */
export function excerptBeside(text: string, other: string, length = 160): string {
  const line = toLine(text);
  return line === '' ? excerpt(text) : quoteBeside(line, toLine(other), length);
}

/** Shortens a text in which something is looked for: if it is cut, to what is around the place that comes closest to it. */
export function excerptNear(text: string | null | undefined, wanted: Wanted, length = 160): string {
  const line = toLine(text ?? '');
  const near =
    line.length > length && typeof wanted === 'string' ? cutNear(line, toLine(wanted), length) : null;
  return near === null ? excerpt(text, length) : quotePart(near);
}

/** Puts a text on one line. */
export function toLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Joins names with commas, or returns `none` for an empty list. */
export function list(items: readonly string[], none = 'none'): string {
  return items.length === 0 ? none : items.join(', ');
}

/** Formats a count with its noun: "1 prompt", "2 prompts". */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Quotes a text as it is, with its whitespace. Of a long text it keeps both ends. */
export function quote(text: string, length = 60): string {
  if (text.length <= length) return JSON.stringify(text);
  const half = Math.floor(length / 2);
  return `${JSON.stringify(text.slice(0, half))} … ${JSON.stringify(text.slice(-half))}`;
}

/** Quotes a text that is compared with another. Of a long text it keeps what is around their first difference. */
export function quoteBeside(text: string, other: string, length = 60): string {
  const [part] = cutPair(text, other, length);
  return part.isCutBefore && text !== other ? quotePart(part) : quote(text, length);
}

function quotePart({ text, isCutBefore, isCutAfter }: Excerpt): string {
  return `${isCutBefore ? '… ' : ''}${JSON.stringify(text)}${isCutAfter ? ' …' : ''}`;
}
