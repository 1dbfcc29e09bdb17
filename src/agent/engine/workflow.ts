import { dirname, normalize } from 'node:path';
import type { Step } from '../../domain/agent-script.js';
import type { PromptView } from './prompt-view.js';

/** Makes the step that declares completion the way the prompt asks: the promise alone on the last line, or an event. */
export function completionStep({ completion }: PromptView): Step {
  const { promise, by } = completion ?? { promise: 'LOOP_COMPLETE', by: 'event' };
  return by === 'text' ? { do: 'say', text: promise } : { do: 'emit', topic: promise, by: 'command' };
}

/** Builds the shell command that emits an event. */
export function emitCommand(topic: string, payload: string | undefined): string {
  return ['ralph', 'emit', topic, ...(payload === undefined ? [] : [payload])].map(quoteWord).join(' ');
}

/** Quotes a word for a shell. */
export function quoteWord(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

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
