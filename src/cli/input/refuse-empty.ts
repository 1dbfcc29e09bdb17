import type { Command } from 'commander';
import { KnownError } from '../../domain/common/known-error.js';

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
