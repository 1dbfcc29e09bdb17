import { readFileSync } from 'node:fs';
import type { Invocation } from '../../domain/agent-script.js';

/**
 * A prompt given as an argument. ralph hands prompts over 7,000 bytes to these CLIs as "Please read and execute the
 * task in <file>": a real agent would open the file, so the stand-in answers what it says.
 */
export function readPromptArgument(argument: string): {
  readonly prompt: string;
  readonly source: Invocation['promptSource'];
} {
  const path = findPromptFile(argument);
  if (path === null) return { prompt: argument, source: 'argument' };
  return { prompt: readFileSync(path, 'utf8'), source: 'file' };
}

/** The file that an argument asks to read, if it does. */
export function findPromptFile(argument: string): string | null {
  return /^Please read and execute the task in (\S+)\s*$/.exec(argument)?.[1] ?? null;
}
