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

/** Joins as many items as fit into `limit` characters; `more` says how many are missing. */
export function fitItems(
  items: readonly string[],
  options: { limit: number; separator: string; more: (left: number) => string },
): string {
  const taken: string[] = [];
  let used = 0;
  for (const item of items) {
    used += item.length + options.separator.length;
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
