import { KnownError } from '../../domain/common/known-error.js';

/**
 * Calls a function that a scenario's author wrote. `process.exit` in it would end the run without a verdict, and with
 * the code that it names: it is an error of that scenario, also when the author's code catches it.
 */
export function callScenario<Result>(call: () => Result): Result {
  const { exit } = process;
  let refusal: KnownError | null = null;
  process.exit = (code) => {
    refusal = new KnownError(`the scenario called process.exit(${code ?? ''})`, {
      hint: 'throw an error, or return what the scenario expects',
    });
    throw refusal;
  };
  try {
    const result = call();
    if (refusal !== null) throw refusal;
    return result;
  } finally {
    process.exit = exit;
  }
}
