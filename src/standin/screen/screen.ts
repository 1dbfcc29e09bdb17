import { describeOsError } from '../failure.js';
import { panic } from '../signals.js';

/** Prints text. If stdout fails, the real Ralph panics with exit code 101. */
export function print(text: string): void {
  process.stdout.write(text);
  const { errored } = process.stdout;
  if (errored !== null) panic(`failed printing to stdout: ${describeOsError(errored)}`);
}

/** Ignores failures to write log lines; the next print reports them. */
export function outliveLostLogLines(): void {
  process.stdout.on('error', () => {});
}
