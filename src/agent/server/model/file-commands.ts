import { dirname, normalize } from 'node:path';
import { quoteWord } from '../../engine/workflow.js';

/**
 * Builds the shell command that writes (`>`) or appends (`>>`) text to a file. It creates the folder first, as the CLIs'
 * tools do. It avoids `$()`, which some CLIs refuse.
 */
export function putCommand(path: string, redirect: '>' | '>>', text: string): string {
  const folder = dirname(normalize(path));
  const prepare = folder === '.' ? '' : `mkdir -p ${quotePath(folder)} && `;
  return `${prepare}printf %s ${quoteWord(text)} ${redirect} ${quotePath(path)}`;
}

/** Builds the shell command that prints a file. */
export function catCommand(path: string): string {
  return `cat ${quotePath(path)}`;
}

/** Normalizes and quotes a path, so that it cannot be read as an option or as standard input. */
function quotePath(path: string): string {
  const plain = normalize(path);
  return quoteWord(plain.startsWith('-') ? `./${plain}` : plain);
}
