import { type Command, Option } from 'commander';
import { exitCodesHelp } from './exit-codes.js';

/** A command: everything that the command line and its help say about it. */
export interface DeclaredCommand {
  readonly name: string;
  /** What it is for, in the list of commands. */
  readonly summary: string;
  /** The same at the top of its own help. Default: the summary. */
  readonly description?: string;
  /** Each argument as commander takes it, what it means, and its default. */
  readonly args?: readonly (readonly [name: string, help: string, fallback?: string])[];
  readonly options?: readonly Option[];
  readonly codes?: readonly string[];
  /** Calls that run as they are. */
  readonly examples: readonly string[];
  /** Gets the arguments and the flags. Loads what it needs when it is called, and returns the exit code. */
  readonly run: (...given: never[]) => Promise<number>;
}

/** Adds a command to another one. */
export function addCommand(
  parent: Command,
  {
    name,
    summary,
    description = summary,
    args = [],
    options = [],
    codes = [],
    examples,
    run,
  }: DeclaredCommand,
  done: (code: number) => void,
): Command {
  const command = parent.command(name).summary(summary).description(description);
  for (const [argument, help, fallback] of args) command.argument(argument, help, fallback);
  for (const option of options) command.addOption(option);
  if (codes.length > 0) command.addHelpText('after', exitCodesHelp(...codes));
  return command
    .addHelpText('after', examplesHelp(examples))
    .action(async (...given) => done(await Reflect.apply(run, undefined, given)));
}

/** Lists examples at the end of a help. */
export function examplesHelp(examples: readonly string[]): string {
  return `\n${['Examples:', ...examples].join('\n  ')}`;
}

/** Makes an option that is a text or, without a value, a switch. */
export function flag(flags: string, help: string, fallback?: string): Option {
  return new Option(flags, help).default(fallback);
}

/** Makes an option that can be repeated. */
export function repeatable(flags: string, help: string): Option {
  return new Option(flags, help).argParser((value: string, earlier: readonly string[] = []) => [
    ...earlier,
    value,
  ]);
}
