import { EXIT } from './exit-codes.js';

/** Scenarios run in our process and might end it with any code. Until we reach the end, that means: no verdict. */
let verdict: number = EXIT.untested;

const insist = (): void => {
  process.exitCode = verdict;
};

/**
 * Makes sure that only `endWith` and `exitNow` decide the exit code. It also wraps `reallyExit`, which `process.exit`
 * calls even if somebody removed our listener; whoever sets it again changes nothing.
 */
export function guardExitCode(): void {
  process.on('exit', insist);
  const reallyExit: unknown = Reflect.get(process, 'reallyExit');
  if (typeof reallyExit === 'function')
    Reflect.defineProperty(process, 'reallyExit', {
      get: () => () => Reflect.apply(reallyExit, process, [verdict]),
      // Libraries that want to know when a program ends set it, and fail if they cannot.
      set: () => {},
      configurable: false,
    });
}

/** Sets the exit code for when the program ends by itself. */
export function endWith(code: number): void {
  verdict = code;
  // Move our listener to the end, so that one added later cannot override it.
  process.off('exit', insist);
  process.on('exit', insist);
  process.exitCode = code;
}

/** Ends the program immediately. */
export function exitNow(code: number): never {
  endWith(code);
  process.exit(code);
}
