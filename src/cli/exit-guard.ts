import { EXIT } from './exit-codes.js';

/** Until the end is reached nothing was tested, whoever ends us and with whatever code: a scenario runs in our process. */
let verdict: number = EXIT.untested;

const insist = (): void => {
  process.exitCode = verdict;
};

/** Makes sure that only `endWith` and `exitNow` decide on the exit code of the program. */
export function guardExitCode(): void {
  process.on('exit', insist);
}

/** The end is reached: the program exits with this code once nothing is left to do. */
export function endWith(code: number): void {
  verdict = code;
  // Last in the line again: a listener that came later must not have the last word.
  process.off('exit', insist);
  process.on('exit', insist);
  process.exitCode = code;
}

/** Ends the program at once. */
export function exitNow(code: number): never {
  endWith(code);
  process.exit(code);
}
