import { readFileSync } from 'node:fs';
import type { Invocation } from '../../domain/agent-script.js';

/**
 * Reads a prompt from an argument. Ralph passes prompts over 7,000 bytes to these CLIs as "Please read and execute the
 * task in <file>": a real agent would open the file, so the stand-in answers its content.
 */
export function readPromptArgument(argument: string): {
  readonly prompt: string;
  readonly source: Invocation['promptSource'];
} {
  const path = findPromptFile(argument);
  if (path === null) return { prompt: argument, source: 'argument' };
  return { prompt: readFileSync(path, 'utf8'), source: 'file' };
}

/** Finds the file that an argument asks the agent to read, or null. */
export function findPromptFile(argument: string): string | null {
  return /^Please read and execute the task in (\S+)\s*$/.exec(argument)?.[1] ?? null;
}
