import { Command, CommanderError } from 'commander';
import { listedName, NAMED_BACKENDS, PRIMARY_BACKENDS } from '../domain/backends.js';
import { isKnownError, KnownError } from '../domain/common/known-error.js';
import { messageOf, stackOf } from '../domain/common/message-of.js';
import { REPORT_CHOICES } from '../domain/report/formats.js';
import { SMOKE_CALLS } from '../domain/suites.js';
import { hasErrorCode } from '../exec/error-code.js';
import { harnessVersion } from '../harness-version.js';
import { blameScenario } from '../run/attempt/blame-scenario.js';
import { addAgentCommands } from './agent-commands.js';
import { EXIT, type ExitCode, exitCodesHelp } from './exit-codes.js';
import { endWith, exitNow, guardExitCode } from './exit-guard.js';
import { append } from './input/append.js';
import { importThrough } from './input/import-module.js';
import { refuseEmptyValues } from './input/refuse-empty.js';
import type { RunFlags } from './input/run-choices.js';
import { addRunCommands } from './run-commands.js';
import { forbidColor, say } from './screen.js';

/** Parses the command line, runs the command that it names, and sets the exit code. */
export async function runProgram(
  argv: readonly string[],
  importer: Parameters<typeof importThrough>[0],
): Promise<void> {
  guardExitCode();
  // Errors in timers and promises that nobody awaits: those of a scenario file, or a bug of ours.
  process.on('uncaughtException', (error) => exitNow(explain(blameScenario(error))));
  importThrough(importer);
  endWith(await runNamed(argv));
}

async function runNamed(argv: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    process.stderr.write(
      'ralph-e2e needs Linux or macOS: it uses their process tables to end process trees. On Windows, use WSL.\n',
    );
    return EXIT.untested;
  }
  let exitCode: number = EXIT.passed;
  const program = defineProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return explain(error);
  }
}

/** Commander only splits the command line; each command reads its values, and is loaded when it is called. */
function defineProgram(done: (code: number) => void): Command {
  const program = new Command('ralph-e2e');
  program
    .description(
      'Release tests for the Ralph orchestrator: run it with agent CLIs in fresh workspaces and check what really happened.',
    )
    .version(harnessVersion(), '-V, --version', 'print the version')
    .enablePositionalOptions()
    .helpCommand('help [command]', 'show this help, or the options of a command')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .argument(
      '[backends...]',
      `backends to test: ${PRIMARY_BACKENDS.map((id) => listedName(id, id)).join(', ')}, or all of these (default); ${NAMED_BACKENDS.join(', ')} run only if you name them`,
    )
    .option('-v, --verbose', 'show every check, command line and event')
    .option('-q, --quiet', 'show only the verdict and the tests that failed; on a terminal also the progress')
    .option('--fold', 'show a line for each tier instead of each test; failures are still shown in full')
    .option(
      '--follow',
      'show what the agents of running tests say and do, as it happens; with several jobs each line names its test',
    )
    .option(
      '--report <formats>',
      `reports to write, comma-separated: ${REPORT_CHOICES.join(', ')}; merge-reports makes all of them from blobs`,
      'markdown,json',
    )
    .option(
      '--keep-workspace',
      'also keep the workspaces of tests that passed, and keep them all during later runs',
    )
    .option(
      '--keep-reports',
      "do not replace the reports of the previous run: write this run's reports to its own folder only",
    )
    .option(
      '--without-plugin',
      'run every test of a plugin once more without the plugin, and report what holds then too; the verdict stays that with the plugin',
    )
    .option('--list', 'list the scenarios and run nothing; with --verbose, print what each asks and checks')
    .option(
      '--filter <pattern>',
      'run the scenarios whose id or tier contains this text; a glob or a /regex/ works too (repeatable)',
      append,
    )
    .option(
      '--suite <suite>',
      `which scenarios: smoke (every tier of Ralph, at most ${SMOKE_CALLS} agent calls on a backend), once (every scenario on its first backend, and smoke on the others), ralph (tiers 1-7), plugins (tiers 8-9: conversations and plugins) or all. Default: all offline, ralph live`,
    )
    .option(
      '--exclude <pattern>',
      'leave out the tests that this pattern matches, in the same forms as --filter (repeatable)',
      append,
    )
    .option('--test <id>', 'run exactly this test: its id, or "id [backend]" (repeatable)', append)
    .option(
      '--scenarios <file>',
      'run the scenarios in this module instead of the built-in ones (repeatable)',
      append,
    )
    .option(
      '--add-scenarios <file>',
      'also run the scenarios in this module, with the built-in ones (repeatable)',
      append,
    )
    .option('--known-issues <file>', 'known issues of this Ralph, by scenario, in YAML or JSON')
    .option(
      '--analysis <when>',
      'whether Ralph analyzes the results at the end: auto (live, or with --analyzer), always, never',
    )
    .option('--skip-analysis', 'the same as --analysis never')
    .option('--analyzer <path>', 'use this ralph.yml for the analysis')
    .option('--lane <lane>', 'how real the backend is: live (default), scripted, sim')
    .option('--mock', 'the same as --lane sim: no CLI, no model, no cost')
    .option(
      '--ralph <path>',
      'the Ralph to test: a path, or "embedded" for the stand-in (default: $RALPH_BIN, then ralph on PATH, then in the sim lane the stand-in); named twice, both run and are compared',
      append,
    )
    .option(
      '--max-cost <usd>',
      'start no test once this much is spent, counting the estimate of what runs; what is left is listed as not run',
    )
    .option('--yes', 'run without a question, whatever the estimate of a live run says')
    .option('-j, --jobs <n>', 'how many tests to run at the same time')
    .option('--retries <n>', 'run a failed test again up to n times', '0')
    .option(
      '--repeat <n>',
      'run every test n times, all once and then all again, without retries, and report how often each passes',
    )
    .option(
      '--threshold <rate>',
      'with --repeat: a test passes if at least this share of its repeats does, such as 0.9',
    )
    .option(
      '--shard <part>',
      'run one part of the tests, such as 2/4; auto asks the CI system. merge-reports makes one report of all parts',
    )
    .option(
      '--last-failed',
      'run the tests that failed or did not run last time, in this lane on this Ralph; later runs of some of these tests count too',
    )
    .option(
      '--allow <results>',
      'pass although there are such results: inconclusive (they say nothing about Ralph)',
    )
    .option(
      '--fail-on <results>',
      'fail if there are such results, comma-separated: skipped, flaky, fixed-issue (a known issue that no longer occurs)',
    )
    .option('--bail', 'stop at the first failure')
    .option('--shuffle [seed]', 'run in random order; pass the printed seed to repeat the order')
    .option('--timeout <time>', 'time limit for each test: 90, 90s, 2m')
    .option('--model <name>', 'the model that the backend should use')
    .option('--env <name>', 'pass this environment variable through (repeatable)', append)
    .option('--isolation <kind>', 'what isolates the agent: host, bwrap, docker', 'host')
    .option('--container <scope>', 'with --isolation docker: one container per-test (default) or per-suite')
    .option('--output <dir>', 'where workspaces, runs and reports go', '.e2e-tests')
    .option(
      '--json',
      'print the report, or with --list the scenarios, as JSON on stdout; everything else goes to stderr',
    )
    .addHelpText(
      'after',
      exitCodesHelp('0 passed', '1 Ralph broke a promise', '2 no verdict', '130 interrupted') +
        NO_VERDICT_HELP,
    )
    .action(async (backends: string[], flags: RunFlags) => {
      const { defaultCommand } = await import('./commands/run.js');
      const commands = program.commands.map((command) => command.name());
      done(await defaultCommand(backends, flags, commands));
    });
  program.hook('preSubcommand', (_program, command) => refuseMisplacedOptions(program, command));
  program.hook('preAction', (_program, command) => refuseEmptyValues(command));
  addRunCommands(program, done);
  addAgentCommands(program, done);
  for (const command of listCommands(program)) {
    command.option('--no-color', 'print without colors, as with the variable NO_COLOR');
    command.exitOverride((error) => {
      throw error.exitCode === 0 ? error : new WrongUsage(error, pathOf(command));
    });
  }
  program.hook('preAction', (_program, command) => {
    if ([program, command].some((given) => given.getOptionValue('color') === false)) forbidColor();
  });
  return program;
}

/** Options of a run that have gone, and what to use instead. */
const GONE = {
  '--priority': 'Choose tests with --suite, --filter and --exclude.',
  '--durations': 'Tests are dealt out to the shards in turn.',
  '--strict-known-issues': 'Use --fail-on fixed-issue.',
  '--allow-inconclusive': 'Use --allow inconclusive.',
};

/** A mistake on the command line, and the command whose help explains it. */
class WrongUsage extends Error {
  readonly hint: string;

  constructor({ message, code }: CommanderError, command: string) {
    super(message);
    const unknown = code === 'commander.unknownOption';
    const [, instead] = Object.entries(GONE).find(([name]) => unknown && message.includes(`'${name}'`)) ?? [];
    const foreign = unknown && command.endsWith(' sim') ? 'Put arguments for the CLI after `--`.' : undefined;
    this.hint = [instead, foreign, `See \`${command} --help\`.`].filter(Boolean).join(' ');
  }
}

function listCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

/** The words that call a command: `ralph-e2e sim convert`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Refuses `ralph-e2e --output X clean`: options before a command belong to a run, so it would clean the default folder. */
function refuseMisplacedOptions(program: Command, command: Command): void {
  const given = program.options.find(
    (option) =>
      option.long !== '--no-color' && program.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given === undefined) return;
  throw new KnownError(`${given.long} comes before "${command.name()}", where it has no effect.`, {
    hint: `Put the command first: \`ralph-e2e ${command.name()} …\`.`,
  });
}

const NO_VERDICT_HELP = `

No verdict: wrong usage, no Ralph, no workspace, an error in the harness,
nothing ran, a backend that you named was not tested, --max-cost was reached,
the estimate was declined, repeats are missing, or a result is
inconclusive: the agent did otherwise, or its service did not answer.`;

/** Errors that come from the machine, such as a full disk or a folder that somebody replaced, and not from a bug. */
const UNWRITABLE = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE'],
  ...['ENAMETOOLONG', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EBUSY', 'ENOTEMPTY', 'EEXIST', 'ENOENT'],
];

/** Prints a sentence for a user's mistake, and the stack for a bug of ours. */
function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) return EXIT.passed;
  if (error instanceof WrongUsage) {
    say(`${error.message}\n${error.hint}\n`);
    return EXIT.untested;
  }
  if (isKnownError(error)) {
    say(`error: ${error.message}\n${error.hint === undefined ? '' : `${error.hint}\n`}`);
    return EXIT.untested;
  }
  if (hasErrorCode(error, ...UNWRITABLE)) {
    const reason = messageOf(error);
    const hint = hasErrorCode(error, 'EMFILE', 'ENFILE')
      ? 'Allow more open files: ulimit -n 1024.'
      : 'Make room, remove what is in the way, or choose another folder with --output <dir>.';
    say(`error: Cannot read or write a file: ${reason}.\n${hint}\n`);
    return EXIT.untested;
  }
  const stack = stackOf(error);
  say(
    `This is a bug in ralph-e2e ${harnessVersion()}. Please report it together with this stack:\n${stack}\n`,
  );
  return EXIT.untested;
}
