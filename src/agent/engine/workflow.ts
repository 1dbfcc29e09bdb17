import type { Step } from '../../domain/agent-script.js';
import type { PromptView } from './prompt-view.js';

/** The step that declares completion as the prompt asks for it: the promise alone on the last line, or as an event. */
export function completionStep({ completion }: PromptView): Step {
  const { promise, by } = completion ?? { promise: 'LOOP_COMPLETE', by: 'event' };
  return by === 'text' ? { do: 'say', text: promise } : { do: 'emit', topic: promise, by: 'command' };
}

/** The shell command that emits an event. */
export function emitCommand(topic: string, payload: string | undefined): string {
  return ['ralph', 'emit', topic, ...(payload === undefined ? [] : [payload])].map(quoteWord).join(' ');
}

/** A word as a shell reads it back. */
export function quoteWord(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
