import { oneLine } from '../text/safe-text.js';

/** Where text goes on the screen. */
export interface Place {
  readonly columns: number;
  readonly indent: number;
}

/** What a stream says about its screen. */
interface Sized {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const COLUMNS = { least: 40, log: 120, most: 120 } as const;

/** Returns how wide lines may be: as the terminal is, or as a log is read well. */
export function widthOf({ isTTY, columns = 0 }: Sized): number {
  if (isTTY !== true || columns === 0) return COLUMNS.log;
  return Math.min(Math.max(columns, COLUMNS.least), COLUMNS.most);
}

/** Indents one line of text, and cuts it where the screen ends. */
export function oneLineAt(indent: number, text: string, columns: number): string {
  return `${' '.repeat(indent)}${oneLine(text, columns - indent)}`;
}

/** Breaks a text into at most so many lines, and cuts the last. */
export function wrapTo(most: number, text: string, { columns, indent }: Place): string[] {
  const lines = wrap(oneLine(text, 4_000), { columns, indent });
  if (lines.length <= most) return lines;
  const rest = lines.slice(most - 1).join(' ');
  return [...lines.slice(0, most - 1), oneLineAt(indent, rest, columns)];
}

/** Breaks one line of text between words. A word that is longer than a line is cut. */
export function wrap(text: string, { columns, indent }: Place): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => oneLineAt(indent, line, columns));
}

/** Puts a label before a text; its other lines begin below the text. */
export function labelled(label: string, text: string, place: Place & { readonly most: number }): string[] {
  const { columns, indent, most } = place;
  const [first = '', ...rest] = wrapTo(most, text, { columns, indent: indent + label.length + 1 });
  return [`${' '.repeat(indent)}${label} ${first.trimStart()}`, ...rest];
}

/** The line between the parts of a run. */
export const RULE = '━'.repeat(26);
