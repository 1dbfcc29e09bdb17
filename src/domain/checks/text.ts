import type { About } from '../check.js';

/** What a check looks for in a text. */
export type Wanted = string | RegExp;

/** Whether a text holds what is wanted. */
export function holds(text: string, wanted: Wanted): boolean {
  return typeof wanted === 'string'
    ? text.includes(wanted)
    : new RegExp(wanted.source, wanted.flags.replace(/[gy]/g, '')).test(text);
}

/** What is wanted, as a sentence shows it. */
export function show(wanted: Wanted): string {
  return typeof wanted === 'string' ? JSON.stringify(wanted) : String(wanted);
}

/** What is wanted, as facts. Of several patterns the first is kept. */
export function aboutWanted(...wanted: readonly (Wanted | undefined)[]): About {
  const texts = wanted.filter((one) => typeof one === 'string');
  const [text] = texts;
  const pattern = wanted.find((one) => one instanceof RegExp);
  return {
    ...(text === undefined ? {} : texts.length === 1 ? { text } : { texts }),
    ...(pattern === undefined ? {} : { pattern: String(pattern) }),
  };
}

/** A text shortened for a sentence: its beginning and end on one line. */
export function excerpt(text: string | null | undefined, length = 160): string {
  if (text === null || text === undefined) return 'nothing';
  const line = text.trim().replace(/\s+/g, ' ');
  if (line === '') return 'an empty text';
  if (line.length <= length) return JSON.stringify(line);
  const half = Math.floor(length / 2);
  return `${JSON.stringify(line.slice(0, half))} … ${JSON.stringify(line.slice(-half))}`;
}

/** Names in a row, or what stands for none. */
export function list(items: readonly string[], none = 'none'): string {
  return items.length === 0 ? none : items.join(', ');
}

/** A text quoted as it is, blank lines and all; of a long one its two ends. */
export function quote(text: string, length = 60): string {
  if (text.length <= length) return JSON.stringify(text);
  const half = Math.floor(length / 2);
  return `${JSON.stringify(text.slice(0, half))} … ${JSON.stringify(text.slice(-half))}`;
}
