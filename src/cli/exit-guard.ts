import { EXIT } from './exit-codes.js';

/** Until the end is reached nothing was tested, whoever ends us and with whatever code: a scenario runs in our process. */
let verdict: number = EXIT.untested;

const insist = (): void => {
  process.exitCode = verdict;
};

/**
 * Makes sure that only `endWith` and `exitNow` decide on the exit code of the program. `process.exit` ends in
 * `reallyExit`, whatever becomes of our listener. Who replaces that as well can replace this file too.
 */
export function guardExitCode(): void {
  process.on('exit', insist);
  const reallyExit: unknown = Reflect.get(process, 'reallyExit');
  if (typeof reallyExit === 'function')
    Reflect.set(process, 'reallyExit', () => Reflect.apply(reallyExit, process, [verdict]));
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
