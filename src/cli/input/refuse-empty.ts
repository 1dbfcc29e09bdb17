import type { Command } from 'commander';
import { KnownError } from '../../domain/common/known-error.js';

/**
 * Refuses options and arguments that were given without content. In CI that is a variable that is not set, and what it
 * would mean is never what was meant: `--filter ""` everything, `--output ""` the current folder.
 */
export function refuseEmptyValues(command: Command): void {
  const options = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map((option) => ({
      name: option.long ?? option.flags,
      value: command.getOptionValue(option.attributeName()),
    }));
  // The arguments of `sim` after `--` are those of another program: they may be anything.
  const values = command.registeredArguments.filter(({ variadic }) => !variadic);
  const args = values.map((argument, index) => ({
    name: `<${argument.name()}>`,
    value: command.args[index],
  }));
  for (const { name, value } of [...options, ...args]) {
    const empty = [value].flat().find((one) => typeof one === 'string' && one.trim() === '');
    if (empty === undefined) continue;
    throw new KnownError(`${name} "${empty}": expected a value, found an empty one.`, {
      hint: 'Is a variable not set? Give a value, or leave it out.',
    });
  }
}
