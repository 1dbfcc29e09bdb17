import { escapeRegex } from '../text/escape-regex.js';
import { holds, type Wanted } from './text.js';

/**
 * Whether somebody said the wanted text or a text that matches the wanted pattern. Models decorate what they say, so
 * emphasis, code marks, list marks and digit grouping do not count, nor does the case of plain words in a wanted text.
 * A word with a digit or an underscore in it is a code and must be exact: its case can be the work that was asked for.
 */
export function says(text: string, wanted: Wanted): boolean {
  const readings = [text, undecorate(text)];
  if (typeof wanted !== 'string') return readings.some((reading) => holds(reading, wanted));
  const pattern = new RegExp(withNumbersWhole(foldCase(wanted)), 'u');
  return readings.some((reading) => pattern.test(foldCase(reading)));
}

/** Whether a line says this and nothing else. */
export function isSpeech(line: string, wanted: string): boolean {
  return foldCase(undecorate(line).trim()) === foldCase(wanted);
}

/** Removes what Markdown adds to a text, and the commas in 1,201. */
function undecorate(text: string): string {
  return text
    .replaceAll(/^[ \t]*(?:```|~~~)[\w-]*[ \t]*$/gm, '')
    .replaceAll(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,2}[.)])[ \t]+/gm, '')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)/g, '')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '');
}

function foldCase(text: string): string {
  return text.replaceAll(/[\p{L}\p{N}_]+/gu, (word) => (/[\p{N}_]/u.test(word) ? word : word.toLowerCase()));
}

/** A pattern for a text in which no number at its ends is part of a longer number: 777 is not in 1777 or 7,770. */
function withNumbersWhole(text: string): string {
  const start = /^\d/.test(text) ? '(?<!\\d|\\d[,.])' : '';
  const end = /\d$/.test(text) ? '(?!\\d|[,.]\\d)' : '';
  return `${start}${escapeRegex(text)}${end}`;
}
