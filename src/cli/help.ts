import type { Command } from 'commander';
import { examplesHelp } from './command.js';
import { exitCodesHelp } from './exit-codes.js';
import { VERDICT_CODES } from './run-commands.js';

const RUN_EXAMPLES = [
  'ralph-e2e --mock --ralph ./target/debug/ralph   # scripted agents: free',
  'ralph-e2e claude --suite smoke                  # a few calls of a real model',
  'ralph-e2e claude opencode --max-cost 40         # all of Ralph, and a limit',
];

const NO_VERDICT = `

No verdict: wrong usage, no Ralph, no workspace, an error in the harness,
nothing ran, a backend that you named was not tested, --max-cost was reached,
the estimate was declined, repeats are missing, or a result is
inconclusive: the agent did otherwise, or its service did not answer.`;

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
