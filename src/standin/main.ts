import { stackOf } from '../domain/common/message-of.js';
import { IMITATED_RALPH, STAND_IN_MARK } from '../domain/stand-ins.js';
import { writeOutput } from '../exec/direct-output.js';
import { GLOBAL_OPTIONS, type OptionSpec } from './argv.js';
import { CommandError, formatFailure, toFailure, UsageError } from './failure.js';
import { checkFaults, renderFaults } from './faults.js';

/** The version of Ralph that this program imitates, marked so that nobody mistakes it for the real one. */
const VERSION = `ralph ${IMITATED_RALPH} ${STAND_IN_MARK}`;

const HELP = `${VERSION}

Usage: ralph [OPTIONS] <COMMAND>

Commands:
  run        Run the loop
  emit       Publish an event to the loop that is running
  events     List the events of the latest run
  tools      Work with memories and tasks
  hats       List, show and validate hats
  hooks      Validate hooks
  loops      Resume a suspended loop
  preflight  Check the configuration and the machine
  init       Write a first ralph.yml
  clean      Remove notes, memories and tasks

Options:
  -c, --config <SOURCE>  Configuration file, or core.<field>=<value>
  -H, --hats <SOURCE>    File with a hat collection
  -v, --verbose          Show debug logs and what the backend writes to stderr
      --color <MODE>     auto, always or never
  -h, --help             Print help
  -V, --version          Print version
      --faults           List what RALPH_STANDIN_FAULT can break (stand-in only)
`;

type Command = (words: readonly string[]) => Promise<number> | number;

// Loaded on demand: agents start this program for every event they publish.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./commands/run.js')).runCommand,
  resume: async () => (await import('./commands/run.js')).resumeCommand,
  emit: async () => (await import('./commands/emit.js')).emitCommand,
  events: async () => (await import('./commands/events.js')).eventsCommand,
  preflight: async () => (await import('./commands/preflight.js')).preflightCommand,
  hats: async () => (await import('./commands/hats.js')).hatsCommand,
  init: async () => (await import('./commands/init.js')).initCommand,
  clean: async () => (await import('./commands/clean.js')).cleanCommand,
  tools: async () => (await import('./commands/tools.js')).toolsCommand,
  hooks: async () => (await import('./commands/hooks.js')).hooksCommand,
  loops: async () => (await import('./commands/loops.js')).loopsCommand,
};

/** Commands of the real Ralph that no scenario needs so far. */
const NOT_PLAYED = [
  'doctor',
  'tutorial',
  'plan',
  'code-task',
  'task',
  'wave',
  'tui',
  'web',
  'mcp',
  'bot',
  'completions',
];

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.exitCode = reportFailure(error);
  },
);

async function main(words: readonly string[]): Promise<number> {
  const { before, command, after } = splitCommand(words);
  if (before.includes('-V') || before.includes('--version')) {
    writeOutput('stdout', `${VERSION}\n`);
    return 0;
  }
  if (before.includes('-h') || before.includes('--help')) {
    writeOutput('stdout', HELP);
    return 0;
  }
  if (before.includes('--faults')) {
    writeOutput('stdout', renderFaults());
    return 0;
  }
  checkFaults();
  if (command === undefined) {
    writeOutput('stderr', HELP);
    return 2;
  }
  if (NOT_PLAYED.includes(command)) {
    throw new CommandError(
      `The stand-in ralph does not support \`ralph ${command}\`. It supports ${Object.keys(COMMANDS).join(', ')}. Use a real ralph for the rest.`,
    );
  }
  const load = COMMANDS[command];
  if (load === undefined) {
    throw new UsageError(
      `error: unrecognized subcommand '${command}'\n\nUsage: ralph [OPTIONS] [COMMAND]\n\nFor more information, try '--help'.`,
    );
  }
  const run = await load();
  return run([...before, ...after]);
}

/** Moves global options before the command behind it. */
function splitCommand(words: readonly string[]): {
  before: readonly string[];
  command: string | undefined;
  after: readonly string[];
} {
  const options: readonly OptionSpec[] = GLOBAL_OPTIONS;
  let at = 0;
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
    const option = options.find(({ long, short }) => word === `--${long}` || word === `-${short}`);
    at += option?.value === undefined ? 1 : 2;
  }
  return { before: words.slice(0, at), command: words[at], after: words.slice(at + 1) };
}

function reportFailure(error: unknown): number {
  if (error instanceof UsageError) {
    writeOutput('stderr', `${error.message}\n`);
    return 2;
  }
  const failure = toFailure(error);
  if (failure !== undefined) {
    writeOutput('stderr', `${formatFailure(failure)}\n`);
    return 1;
  }
  writeOutput('stderr', `Error: ${stackOf(error)}\n`);
  return 1;
}
