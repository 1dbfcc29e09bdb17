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
