import { KnownError } from '../../domain/common/known-error.js';
import { FAULT_VARIABLE } from '../../domain/scenario/stand-in-faults.js';

/** Readers of values that depend on this machine. The others are in src/domain/options/option-values.ts. */

export function readSeed(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new KnownError(`--shuffle ${value}: expected a seed that an earlier run printed, or nothing.`, {
    hint: 'Put backends before it: `ralph-e2e claude --shuffle`.',
  });
}

export function readVariableName(value: string): string {
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(value);
  if (isName && process.env[value] !== undefined) return value;
  const found = isName ? 'but it is not set' : 'but this is not a name';
  throw new KnownError(`--env ${value}: expected the name of a variable that is set, ${found}.`, {
    hint: 'Set the variable in your shell and give only its name: `--env ANTHROPIC_BASE_URL`.',
  });
}

/**
 * Reads the names of variables to pass. The faults of the stand-in are left out: they reach it anyway, and what is passed
 * counts as a secret.
 */
export function readVariableNames(values: readonly string[] = []): string[] {
  return values.map(readVariableName).filter((name) => name !== FAULT_VARIABLE);
}
