import { dirname, normalize } from 'node:path';
import { quoteWord } from '../../engine/workflow.js';

/**
 * The shell command that makes a text the content of a file (`>`) or adds it (`>>`). It makes the folder first, as the
 * tools of the CLIs do. Without `$()`, which some refuse.
 */
export function putCommand(path: string, redirect: '>' | '>>', text: string): string {
  const folder = dirname(normalize(path));
  const prepare = folder === '.' ? '' : `mkdir -p ${quotePath(folder)} && `;
  return `${prepare}printf %s ${quoteWord(text)} ${redirect} ${quotePath(path)}`;
}

/** The shell command that prints a file. */
export function catCommand(path: string): string {
  return `cat ${quotePath(path)}`;
}

/** The path as programs get it: without a folder that it leaves again, never an option, and never standard input. */
function quotePath(path: string): string {
  const plain = normalize(path);
  return quoteWord(plain.startsWith('-') ? `./${plain}` : plain);
}
