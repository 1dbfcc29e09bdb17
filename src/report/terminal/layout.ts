import { stripVTControlCharacters } from 'node:util';
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

/** Joins the words of a command or path, so that `wrapText` leaves it whole: it is there to be pasted. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/**
 * Breaks the lines of a text between words where a terminal ends, and leaves them as they are elsewhere. A word that is
 * longer than the terminal is wide is for the terminal to break: then it can still be copied as one. Text in backticks
 * is one word.
 */
export function wrapText(text: string, { isTTY, columns = 0 }: Sized): string {
  const width = isTTY === true && columns > 0 ? Math.max(columns, COLUMNS.least) : Number.POSITIVE_INFINITY;
  const lines = text
    .split('\n')
    .flatMap((line) => (countCells(line) <= width ? [line] : wrapLine(line, width)));
  return lines.join('\n').replaceAll('\u00a0', ' ');
}

function wrapLine(line: string, width: number, hang = hangOf(line)): string[] {
  const [column = ''] = /^\s*\S+\s{2,}(?=\S)/.exec(line) ?? [];
  if (countCells(column) > width / 2)
    return [column.trimEnd(), ...wrapLine(`${' '.repeat(6)}${line.slice(column.length)}`, width, 6)];
  const [first = '', ...words] = line.replace(/`[^`]*`/g, unbroken).split(' ');
  const lines = [first];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    const isBlank = stripVTControlCharacters(last).trim() === '';
    if (isBlank || countCells(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else if (word !== '') lines.push(`${' '.repeat(hang)}${word}`);
  }
  return lines;
}

/** Where the next line begins: below the text behind a mark, or below the second column. */
function hangOf(line: string): number {
  const plain = stripVTControlCharacters(line);
  const [before = ''] = /^\s*(?:[^\p{L}\p{N}\s]+\s+|\S+\s{2,})/u.exec(plain) ?? [];
  return before === '' ? plain.search(/\S/) + 2 : countCells(before);
}

/** Counts the columns that a text takes: most emoji and ideographs take two, control sequences none. */
function countCells(text: string): number {
  const plain = stripVTControlCharacters(text);
  const wide = plain.match(
    /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  );
  return [...plain].length + (wide?.length ?? 0);
}

/** Puts a label before a text; its other lines begin below the text. */
export function labelled(label: string, text: string, place: Place & { readonly most: number }): string[] {
  const { columns, indent, most } = place;
  const [first = '', ...rest] = wrapTo(most, text, { columns, indent: indent + label.length + 1 });
  return [`${' '.repeat(indent)}${label} ${first.trimStart()}`, ...rest];
}

/** The line between the parts of a run. */
export const RULE = '━'.repeat(26);
