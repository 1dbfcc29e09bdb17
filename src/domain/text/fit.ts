/** Fits what is too long into a size. Sizes are those in a file, in bytes. */

/** Returns the size of a text in a file. */
export function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Keeps the beginning and end of a long list, and counts the rest. */
export function headAndTail<Item>(items: readonly Item[], limit: number): { kept: Item[]; left: number } {
  if (items.length <= limit) return { kept: [...items], left: 0 };
  const head = Math.ceil(limit / 2);
  const tail = items.length - (limit - head);
  return { kept: [...items.slice(0, head), ...items.slice(tail)], left: items.length - limit };
}

/** Keeps the first items that fit into `limit` bytes, and counts the rest. */
export function takeFitting<Item>(
  items: readonly Item[],
  limit: number,
  sizeOfItem: (item: Item) => number,
): { readonly kept: readonly Item[]; readonly left: number } {
  let used = 0;
  const end = items.findIndex((item) => {
    used += sizeOfItem(item);
    return used > limit;
  });
  return end === -1 ? { kept: items, left: 0 } : { kept: items.slice(0, end), left: items.length - end };
}

/** Joins as many lines as fit into `limit` bytes; `more` says how many are missing. */
export function fitLines(lines: readonly string[], limit: number, more: (left: number) => string): string {
  const { kept, left } = takeFitting(lines, limit, (line) => sizeOf(line) + 1);
  return (left > 0 ? [...kept, more(left)] : kept).join('\n');
}

/** A part of a page that has a maximum size. */
export interface PagePart {
  /** Parts with a low rank get their space first. */
  readonly rank: number;
  /** Renders the part in at most `room` bytes if it can. */
  readonly render: (room: number) => string;
  /** What the page says in place of a part that has no room left; by default nothing. */
  readonly instead?: string;
}

const SEPARATOR = 2;

/** Renders parts in their order within `limit` bytes. */
export function fitParts(parts: readonly PagePart[], limit: number): string {
  const rendered = new Map<PagePart, string>();
  const reserved = ({ instead = '' }: PagePart) => (instead === '' ? 0 : sizeOf(instead) + SEPARATOR);
  let room = limit - parts.reduce((sum, part) => sum + reserved(part), 0);
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    const own = room + reserved(part);
    const text = part.render(own - SEPARATOR);
    const size = text === '' ? 0 : sizeOf(text) + SEPARATOR;
    const fits = size <= own;
    rendered.set(part, fits ? text : (part.instead ?? ''));
    room = fits ? own - size : room;
  }
  return parts
    .map((part) => rendered.get(part) ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Renders at the first of several levels that fits into `room` bytes; null if none does. */
export function renderToFit<Level, Rendered>(
  levels: readonly Level[],
  room: number,
  render: (level: Level) => { readonly rendered: Rendered; readonly size: number },
): Rendered | null {
  for (const level of levels) {
    const { rendered, size } = render(level);
    if (size <= room) return rendered;
  }
  return null;
}
