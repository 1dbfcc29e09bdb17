import { writeOutput } from '../../exec/direct-output.js';
import { type CommandSpec, type ParsedArgs, parseArgs } from '../argv.js';
import { UsageError } from '../failure.js';

/** A command below `ralph tools <group>`. */
export interface Subcommand {
  readonly spec: CommandSpec;
  readonly run: (args: ParsedArgs, spec: CommandSpec) => void;
}

/** Finds, parses and runs one command of a group. */
export function runSubcommand(
  group: string,
  commands: Readonly<Record<string, Subcommand>>,
  words: readonly string[],
): number {
  const [name, ...rest] = words;
  const usage = `Usage: ralph tools ${group} [OPTIONS] <COMMAND>\n\nCommands: ${Object.keys(commands).join(', ')}`;
  if (name === '-h' || name === '--help') {
    writeOutput('stdout', `${usage}\n`);
    return 0;
  }
  const command = name === undefined ? undefined : commands[name];
  if (command === undefined) {
    throw new UsageError(name === undefined ? usage : `error: unrecognized subcommand '${name}'\n\n${usage}`);
  }
  const args = parseArgs(rest, command.spec);
  if (args.values.has('help')) writeOutput('stdout', `Usage: ${command.spec.usage}\n`);
  else command.run(args, command.spec);
  return 0;
}

/** Splits a value such as `a, b` into its parts. */
export function splitCommas(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
