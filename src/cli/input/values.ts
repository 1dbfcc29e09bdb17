import { KnownError } from '../../domain/common/known-error.js';
import { FAULT_VARIABLE } from '../../domain/scenario/stand-in-faults.js';

/** Readers of values that depend on this machine. The others are in src/domain/options/option-values.ts. */

export function readSeed(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new KnownError(`--shuffle ${value}: expected a seed that an earlier run printed, or nothing.`, {
    hint: 'Put backends before it: `ralph-e2e claude --shuffle`.',
  });
}

/** Reads the name of a variable. Whether it is set matters when something runs, not for `--list` and `--help`. */
export function readVariableName(value: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return value;
  throw refuseVariable(value, 'this is not a name');
}

/** Refuses variables that are not set. */
export function requireVariables(names: readonly string[]): void {
  const missing = names.find((name) => process.env[name] === undefined);
  if (missing !== undefined) throw refuseVariable(missing, 'it is not set');
}

function refuseVariable(name: string, found: string): KnownError {
  return new KnownError(`--env ${name}: expected the name of a variable that is set, but ${found}.`, {
    hint: 'Set the variable in your shell and give only its name: `--env ANTHROPIC_BASE_URL`.',
  });
}

/**
 * Reads the names of variables to pass. The faults of the stand-in are left out: they reach it anyway, and what is passed
 * counts as a secret.
 */
export function readVariableNames(values: readonly string[] = []): string[] {
  const names = values.map(readVariableName);
  requireVariables(names);
  return names.filter((name) => name !== FAULT_VARIABLE);
}
