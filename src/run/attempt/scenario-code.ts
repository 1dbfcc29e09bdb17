import { KnownError } from '../../domain/common/known-error.js';
import { requireBuiltins } from '../../exec/builtins.js';
import { blameScenario } from './blame-scenario.js';

/**
 * Calls a function that a scenario's author wrote. If it calls `process.exit`, which would end the whole run with that
 * code and no verdict, that is an error of the scenario, even if the author's code catches it. The same goes for
 * built-ins that it replaces.
 */
export function callScenario<Result>(call: () => Result): Result {
  const { exit } = process;
  let refusal: KnownError | null = null;
  process.exit = (code) => {
    refusal = new KnownError(`the scenario called process.exit(${code ?? ''})`, {
      hint: 'Throw an error, or return what the scenario expects.',
    });
    throw refusal;
  };
  try {
    const result = call();
    if (refusal !== null) throw refusal;
    return result;
  } catch (error) {
    throw blameScenario(error);
  } finally {
    process.exit = exit;
    requireBuiltins('the scenario');
  }
}
/** Calls a function that a scenario's author wrote for a mere estimate. If it fails, the run of that scenario says so. */
export function tryScenario<Result>(call: () => Result, otherwise: Result): Result {
  try {
    return callScenario(call);
  } catch {
    return otherwise;
  }
}
