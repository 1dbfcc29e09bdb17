import { type Command, Option } from 'commander';
import { INCONCLUSIVE } from '../report/words/outcomes.js';
import { exitCodesHelp, VERDICT_CODES } from './exit-codes.js';

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
function examplesHelp(examples: readonly string[]): string {
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

const RUN_EXAMPLES = [
  'ralph-e2e --mock --ralph ./target/debug/ralph   # scripted agents: free',
  'ralph-e2e claude --suite smoke                  # a few calls of a real model',
  'ralph-e2e claude opencode --max-cost 40         # all of Ralph, and a limit',
];

const NO_VERDICT = `

No verdict: wrong usage, no Ralph, no workspace, an error in the harness,
nothing ran, a backend that you named was not tested, --max-cost was reached,
the estimate was declined, repeats are missing, or a result is
${INCONCLUSIVE}: the agent did otherwise, or its service did not answer.`;

/** Whether the user asks for all options: `--help --all`. */
export function asksForAll(argv: readonly string[]): boolean {
  return argv.includes('--all') && argv.some((word) => word === '--help' || word === '-h');
}

/** Completes the help of the program: a short list of options, examples, exit codes. */
export function addHelp(program: Command, { isWhole }: { readonly isWhole: boolean }): void {
  program
    .helpOption('-h, --help', isWhole ? 'show this help' : 'show this help; --help --all shows every option')
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      optionDescription: ({ description }) => description,
    })
    .addHelpText('after', examplesHelp(RUN_EXAMPLES))
    .addHelpText('after', exitCodesHelp(...VERDICT_CODES) + (isWhole ? NO_VERDICT : ''));
  program.options.find(({ long }) => long === '--version')?.hideHelp(!isWhole);
}
