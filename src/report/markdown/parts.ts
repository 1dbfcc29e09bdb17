import { fencedBlock, htmlText } from '../text/safe-text.js';

/** A table; cells must be safe already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A folded part of the page. `summary` is plain text, `body` finished markdown. */
export function details(summary: string, body: string): string {
  return `<details>\n<summary>${htmlText(summary)}</summary>\n\n${body}\n\n</details>`;
}

/** A folded text that somebody else wrote. */
export function foldedText(
  summary: string,
  text: string,
  options: { limit: number; whole: string | null; language?: string },
): string {
  return details(summary, fencedBlock(text, options));
}

/** Blocks with an empty line between them; empty ones are left out. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** As many items as fit into `limit` characters, joined; `more` says what was left out. */
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

/** The first and last of a list that is too long, with how many lie between. */
export function headAndTail<Item>(items: readonly Item[], limit: number): { kept: Item[]; left: number } {
  if (items.length <= limit) return { kept: [...items], left: 0 };
  const head = Math.ceil(limit / 2);
  const tail = items.length - (limit - head);
  return { kept: [...items.slice(0, head), ...items.slice(tail)], left: items.length - limit };
}
