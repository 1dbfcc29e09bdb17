import { fencedBlock, htmlText } from '../text/safe-text.js';

/** Renders a table; cells must already be safe. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Renders a folded part. `summary` is plain text, `body` is finished Markdown. */
export function details(summary: string, body: string): string {
  return `<details>\n<summary>${htmlText(summary)}</summary>\n\n${body}\n\n</details>`;
}

/** Renders a folded foreign text. */
export function foldedText(
  summary: string,
  text: string,
  options: { limit: number; whole: string | null; language?: string },
): string {
  return details(summary, fencedBlock(text, options));
}

/** Joins blocks with empty lines; skips empty ones. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Joins as many items as fit into `limit` bytes; `more` says how many are missing. */
export function fitItems(
  items: readonly string[],
  options: { limit: number; separator: string; more: (left: number) => string },
): string {
  const taken: string[] = [];
  let used = 0;
  for (const item of items) {
    used += sizeOf(item) + options.separator.length;
    if (used > options.limit) break;
    taken.push(item);
  }
  const left = items.length - taken.length;
  return (left > 0 ? [...taken, options.more(left)] : taken).join(options.separator);
}

/** Keeps the beginning and end of a long list, and counts the rest. */
export function headAndTail<Item>(items: readonly Item[], limit: number): { kept: Item[]; left: number } {
  if (items.length <= limit) return { kept: [...items], left: 0 };
  const head = Math.ceil(limit / 2);
  const tail = items.length - (limit - head);
  return { kept: [...items.slice(0, head), ...items.slice(tail)], left: items.length - limit };
}

/** Returns the size of a text in a file. */
export function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}

/** A part of a page that has a maximum size. */
export interface PagePart {
  /** Parts with a low rank get their space first. */
  readonly rank: number;
  /** Renders the part in at most `room` bytes if it can. */
  readonly render: (room: number) => string;
}

/** Renders parts in their order within `limit` bytes. A part that has no room left is not there. */
export function fitParts(parts: readonly PagePart[], limit: number): string {
  const rendered = new Map<PagePart, string>();
  let room = limit;
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    const text = part.render(room);
    const size = sizeOf(text) + SEPARATOR;
    if (size > room) continue;
    rendered.set(part, text);
    if (text !== '') room -= size;
  }
  return blocks(...parts.map((part) => rendered.get(part) ?? ''));
}

const SEPARATOR = 2;

/** Renders at the largest of several scales that fits into `room` bytes; nothing if none does. */
export function renderToFit(room: number, render: (scale: number) => string): string {
  for (const scale of [1, 0.6, 0.35, 0.2, 0.1]) {
    const text = render(scale);
    if (sizeOf(text) <= room) return text;
  }
  return '';
}
