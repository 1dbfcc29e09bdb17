import type { Command } from 'commander';
import { exitCodesHelp } from './exit-codes.js';

/** What each command is for, in the list of commands, and calls of it that run as they are. */
const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly examples: readonly string[] }>> =
  {
    doctor: {
      summary: 'show what this machine can test, and how to fix the rest',
      examples: ['ralph-e2e doctor', 'ralph-e2e doctor --lane scripted'],
    },
    new: {
      summary: 'draft your own scenario and its agent script',
      examples: ['ralph-e2e new my-scenario'],
    },
    init: {
      summary: 'write a GitHub workflow and a first scenario',
      examples: ['ralph-e2e init --dry-run'],
    },
    prove: {
      summary: 'show that every check fails when it should',
      examples: ['ralph-e2e prove', 'ralph-e2e prove --filter hat-single'],
    },
    resume: {
      summary: 'go on with a run that was interrupted or killed',
      examples: ['ralph-e2e resume'],
    },
    replay: {
      summary: 'play recorded agents again on another Ralph',
      examples: ['ralph-e2e replay latest --ralph ./target/debug/ralph'],
    },
    regrade: {
      summary: "judge the kept evidence of a run with today's checks",
      examples: ['ralph-e2e regrade latest'],
    },
    compare: {
      summary: 'compare two runs: new failures, fixed and slower tests',
      examples: ['ralph-e2e compare --baseline v2.10.1.json'],
    },
    'merge-reports': {
      summary: 'merge the shards of a run into one run',
      examples: ['ralph-e2e merge-reports blobs/ --report markdown,json,html'],
    },
    clean: {
      summary: 'remove what ralph-e2e made',
      examples: ['ralph-e2e clean'],
    },
    show: {
      summary: 'print or open the report of an earlier run',
      examples: ['ralph-e2e show', 'ralph-e2e show --list', 'ralph-e2e show --prompt'],
    },
    serve: {
      summary: 'play a script as the model behind real agent CLIs',
      examples: ['ralph-e2e serve --script agent.yaml'],
    },
    sim: {
      summary: 'play a script as an agent CLI',
      examples: ['ralph-e2e sim claude --script agent.yaml -- -p "hello"'],
    },
    'sim convert': {
      summary: 'print a script in the current format',
      examples: ['ralph-e2e sim convert agent.toml --ours'],
    },
    'sim check': {
      summary: 'look for mistakes in a script',
      examples: ['ralph-e2e sim check agent.yaml'],
    },
    'sim explain': {
      summary: 'show which rule answers a prompt',
      examples: ['ralph-e2e sim explain agent.yaml --prompt "hello"'],
    },
    'sim mcp': {
      summary: 'play a script as an MCP server on stdio',
      examples: ['ralph-e2e sim mcp --script stub.json'],
    },
    mcp: {
      summary: 'offer the harness as MCP tools',
      examples: ['ralph-e2e mcp --lane scripted --script agent.yaml'],
    },
  };

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

/** Completes the help of the program and its commands: short lists, examples, exit codes. */
export function addHelp(program: Command, { isWhole }: { readonly isWhole: boolean }): void {
  program
    .helpOption('-h, --help', isWhole ? 'show this help' : 'show this help; --help --all shows every option')
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      optionDescription: ({ description }) => description,
    })
    .addHelpText('after', examplesHelp(RUN_EXAMPLES))
    .addHelpText(
      'after',
      exitCodesHelp('0 passed', '1 Ralph broke a promise', '2 no verdict', '130 interrupted') +
        (isWhole ? NO_VERDICT : ''),
    );
  program.options.find(({ long }) => long === '--version')?.hideHelp(!isWhole);
  for (const [path, { summary, examples }] of Object.entries(COMMANDS)) {
    const command = path.split(' ').reduce(findCommand, program);
    command.summary(summary).addHelpText('after', examplesHelp(examples));
  }
}

function findCommand(parent: Command, name: string): Command {
  const found = parent.commands.find((command) => command.name() === name);
  if (found === undefined) throw new Error(`no command ${name}`);
  return found;
}

function examplesHelp(examples: readonly string[]): string {
  return `\n${['Examples:', ...examples].join('\n  ')}`;
}
