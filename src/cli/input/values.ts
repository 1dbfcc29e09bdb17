import type { Command } from 'commander';
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

/** Leaves out the faults of the stand-in: they reach it anyway, and what is passed counts as a secret. */
export function withoutFaults(names: readonly string[]): string[] {
  return names.filter((name) => name !== FAULT_VARIABLE);
}

/** Requires the variables to be set, and returns those to pass. */
export function readVariableNames(names: readonly string[] = []): string[] {
  requireVariables(names);
  return withoutFaults(names);
}

/**
 * Refuses empty options and arguments. In CI they come from unset variables, and what they would do is never intended:
 * `--filter ""` would match everything, `--output ""` would be the current folder.
 */
export function refuseEmptyValues(command: Command): void {
  const options = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map((option) => ({
      name: option.long ?? option.flags,
      value: command.getOptionValue(option.attributeName()),
    }));
  // After `--`, `sim` takes arguments of another program: they may be anything.
  const values = command.registeredArguments.filter(({ variadic }) => !variadic);
  const args = values.map((argument, index) => ({
    name: `<${argument.name()}>`,
    value: command.args[index],
  }));
  for (const { name, value } of [...options, ...args]) {
    const empty = [value].flat().find((one) => typeof one === 'string' && one.trim() === '');
    if (empty !== undefined) requireText(empty, name);
  }
}

/** Refuses an empty value. */
export function requireText(text: string, name: string): string {
  if (text.trim() !== '') return text;
  throw new KnownError(`${name} "${text}": expected a value, found an empty string.`, {
    hint: 'Perhaps a shell variable is not set. Give a value, or leave it out.',
  });
}
