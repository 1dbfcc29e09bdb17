import { describeOsError } from '../failure.js';
import { panic } from '../signals.js';

/** Prints; a screen that takes nothing is a panic for the real one, exit code 101. */
export function print(text: string): void {
  process.stdout.write(text);
  const { errored } = process.stdout;
  if (errored !== null) panic(`failed printing to stdout: ${describeOsError(errored)}`);
}

/** Log lines that cannot be written are lost and nothing else; the next print tells. */
export function outliveLostLogLines(): void {
  process.stdout.on('error', () => {});
}
