import { readFileSync } from 'node:fs';
import type { Call } from './face.js';

/**
 * A prompt given as an argument. ralph hands prompts over 7,000 bytes to these CLIs as "Please read and execute the
 * task in <file>": a real agent would open the file, so the stand-in answers what it says.
 */
export function promptFromArgument(argument: string): Call {
  const path = /^Please read and execute the task in (\S+)\s*$/.exec(argument)?.[1];
  if (path === undefined) return { kind: 'prompt', prompt: argument, source: 'argument' };
  return { kind: 'prompt', prompt: readFileSync(path, 'utf8'), source: 'file' };
}
