import { holds, type Wanted } from './text.js';

/**
 * Whether somebody said the wanted text or a text that matches the wanted pattern. Models decorate what they say, so
 * emphasis, code marks, list marks and digit grouping do not count, nor does the case of plain words in a wanted text.
 * A word with a digit in it is a code and must be exact: the case of a code can be the work that was asked for.
 */
export function says(text: string, wanted: Wanted): boolean {
  const plain = undecorate(text);
  if (typeof wanted === 'string') return foldCase(plain).includes(foldCase(undecorate(wanted)));
  return holds(plain, wanted) || holds(text, wanted);
}

/** Returns the lines of what somebody said, without decoration. */
export function saidLines(text: string): string[] {
  return undecorate(text)
    .split('\n')
    .map((line) => line.trim());
}

/** Removes what Markdown adds to a text, and the commas in 1,201. */
function undecorate(text: string): string {
  return text
    .replaceAll(/^[ \t]*(?:```|~~~)[^\n]*$/gm, '')
    .replaceAll(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+[.)])[ \t]+/gm, '')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)/g, '')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '');
}

function foldCase(text: string): string {
  return text.replaceAll(/[\p{L}\p{N}]+/gu, (word) => (/\p{N}/u.test(word) ? word : word.toLowerCase()));
}
