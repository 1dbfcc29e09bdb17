import { Command, CommanderError } from 'commander';
import { NAMED_BACKENDS, PRIMARY_BACKENDS } from '../domain/backends.js';
import { isKnownError, KnownError } from '../domain/common/known-error.js';
import { messageOf, stackOf } from '../domain/common/message-of.js';
import { hasErrorCode } from '../exec/error-code.js';
import { harnessVersion } from '../harness-version.js';
import { addAgentCommands } from './agent-commands.js';
import type { RunFlags } from './commands/run.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { endWith, guardExitCode } from './exit-guard.js';
import { append } from './input/append.js';
import { importThrough } from './input/import-module.js';
import { refuseEmptyValues } from './input/refuse-empty.js';
import { addRunCommands } from './run-commands.js';

/** Parses the command line, runs the command that it names, and sets the exit code. */
export async function runProgram(
  argv: readonly string[],
  importer: Parameters<typeof importThrough>[0],
): Promise<void> {
  guardExitCode();
  importThrough(importer);
  endWith(await runNamed(argv));
}

async function runNamed(argv: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    process.stderr.write(
      'ralph-e2e needs Linux or macOS: it ends process trees by what their kernels tell. Use WSL.\n',
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

/** Commander takes the flags as they are; the commands read the values. Each command is loaded when it is called. */
function defineProgram(done: (code: number) => void): Command {
  const program = new Command('ralph-e2e');
  program
    .description('Tells whether the Ralph orchestrator really works with the agent CLIs that people use.')
    .version(harnessVersion(), '-V, --version', 'print the version')
    .enablePositionalOptions()
    .helpCommand('help [command]', 'show this, or the options of a command')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .argument(
      '[backends...]',
      `backends to test: ${PRIMARY_BACKENDS.join(', ')}, all of these (the default); ${NAMED_BACKENDS.join(', ')}`,
    )
    .option('-v, --verbose', 'show every assertion, command line and event')
    .option('-q, --quiet', 'show the summary only')
    .option(
      '--report <formats>',
      'reports to write: markdown, json, html, junit, ctrf, github (several joined by commas)',
      'markdown,json',
    )
    .option('--keep-workspace', 'keep the workspaces of passed scenarios too')
    .option(
      '--keep-reports',
      'leave the reports of the earlier run where they are: write to the run folder only',
    )
    .option('--list', 'list the scenarios and run nothing')
    .option(
      '--filter <pattern>',
      'run what matches: part of an id or tier, glob, or /regex/ (repeatable)',
      append,
    )
    .option('--test <id>', 'run exactly this test: its id, or "id [backend]" (repeatable)', append)
    .option('--scenarios <file>', 'scenarios of your own instead of ours: a module (repeatable)', append)
    .option('--skip-analysis', 'do not have ralph itself analyse the results')
    .option('--analyzer <path>', 'a ralph.yml of your own for the analysis')
    .option('--lane <lane>', 'how real the backend is: live (the default), scripted, sim')
    .option('--mock', 'the same as --lane sim: no CLI, no model, no cost')
    .option(
      '--ralph <path>',
      'the ralph to test: a path, or "embedded" for the stand-in; by default $RALPH_BIN, then PATH (sim lane: then the stand-in)',
    )
    .option('-j, --jobs <n>', 'how many scenarios run at the same time')
    .option('--retries <n>', 'run a failed scenario again up to n times', '0')
    .option(
      '--last-failed',
      'run what failed or was not run in the latest run in this lane on this ralph, later runs of a part of it counted',
    )
    .option('--strict-known-issues', 'fail when a known issue no longer occurs')
    .option('--bail', 'stop at the first failure')
    .option('--shuffle [seed]', 'run in a random order; the seed that is printed repeats it')
    .option('--timeout <time>', 'time limit of a scenario: 90, 90s, 2m')
    .option('--model <name>', 'the model that the backend should use')
    .option('--env <name>', 'pass on this variable of your environment (repeatable)', append)
    .option('--isolation <kind>', 'what keeps the agent inside: host, bwrap, docker', 'host')
    .option('--container <scope>', 'with docker: a container per-test (the default) or per-suite')
    .option('--output <dir>', 'where workspaces, runs and reports go', '.e2e-tests')
    .option('--json', 'print the report (with --list: the scenarios) as JSON on stdout, the rest on stderr')
    .addHelpText('after', EXIT_CODES_HELP)
    .action(async (backends: string[], flags: RunFlags) => {
      const { defaultCommand } = await import('./commands/run.js');
      const commands = program.commands.map((command) => command.name());
      done(await defaultCommand(backends, flags, commands));
    });
  program.hook('preSubcommand', (_program, command) => refuseMisplacedOptions(program, command));
  program.hook('preAction', (_program, command) => refuseEmptyValues(command));
  addRunCommands(program, done);
  addAgentCommands(program, done);
  return program;
}

/** `ralph-e2e --output X clean` would clean the default folder: an option before a command belongs to a run. */
function refuseMisplacedOptions(program: Command, command: Command): void {
  const given = program.options.find(
    (option) => program.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given === undefined) return;
  throw new KnownError(`${given.long} stands before "${command.name()}", where it has no effect.`, {
    hint: `Put the command first: \`ralph-e2e ${command.name()} …\`.`,
  });
}

const EXIT_CODES_HELP = `
Exit codes:
  0    everything that ran passed
  1    a test failed
  2    no verdict: a mistake in the call, no ralph, no workspace, everything skipped, or a backend
       that was named could not be tested
  130  interrupted`;

/** A disk that is full or closed to us is the machine's state, not a bug. */
const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'];

/** A user's mistake gets a sentence; a bug of ours keeps its stack, because that is what finds it. */
function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.passed;
    process.stderr.write(`${error.message}\nSee \`ralph-e2e --help\`.\n`);
    return EXIT.untested;
  }
  if (isKnownError(error)) {
    process.stderr.write(`error: ${error.message}\n${error.hint === undefined ? '' : `${error.hint}\n`}`);
    return EXIT.untested;
  }
  if (hasErrorCode(error, ...UNWRITABLE)) {
    const reason = messageOf(error);
    process.stderr.write(
      `error: a file cannot be read or written: ${reason}\nChoose another folder with --output.\n`,
    );
    return EXIT.untested;
  }
  const stack = stackOf(error);
  process.stderr.write(
    `ralph-e2e ${harnessVersion()} has a bug; please report it with what follows.\n${stack}\n`,
  );
  return EXIT.untested;
}
