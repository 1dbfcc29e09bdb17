import { Command, CommanderError } from 'commander';
import { KnownError } from '../domain/known-error.js';
import { hasErrorCode } from '../exec/error-code.js';
import { harnessVersion } from '../harness-version.js';
import type { CompareFlags } from './commands/compare.js';
import type { ConformFlags } from './commands/conform.js';
import type { McpStubFlags } from './commands/mcp-stub.js';
import type { ProveFlags } from './commands/prove.js';
import type { RunFlags } from './commands/run.js';
import type { ServeFlags } from './commands/serve.js';
import type { ShowFlags } from './commands/show.js';
import type { SimFlags } from './commands/sim.js';
import { EXIT, type ExitCode } from './exit-codes.js';

/** Parses the command line, runs the command that it names, and gives the exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
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
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .argument(
      '[backend]',
      'backend to test: claude, kiro, opencode, all (these three); codex, gemini, pi',
      'all',
    )
    .option('-v, --verbose', 'show every assertion, command line and event')
    .option('-q, --quiet', 'show the summary only')
    .option(
      '--report <formats>',
      'reports to write: markdown, json, html, junit, ctrf, github (several joined by commas)',
      'markdown,json',
    )
    .option('--keep-workspace', 'keep the workspaces of passed scenarios too')
    .option('--list', 'list the scenarios and run nothing')
    .option(
      '--filter <pattern>',
      'run what matches: part of an id or tier, glob, or /regex/ (repeatable)',
      append,
    )
    .option('--scenarios <file>', 'scenarios of your own instead of ours: a module (repeatable)', append)
    .option('--skip-analysis', 'do not have ralph itself analyse the results')
    .option('--analyzer <path>', 'a ralph.yml of your own for the analysis')
    .option('--lane <lane>', 'how real the backend is: live, scripted, sim', 'live')
    .option('--mock', 'the same as --lane sim: no CLI, no model, no cost')
    .option('--ralph <path>', 'the ralph to test: a path, or "embedded" for the stand-in')
    .option('-j, --jobs <n>', 'how many scenarios run at the same time')
    .option('--retries <n>', 'run a failed scenario again up to n times', '0')
    .option('--last-failed', 'run what failed or was not run last time')
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
    .action(async (backend: string, flags: RunFlags) => {
      const { runCommand } = await import('./commands/run.js');
      done(await runCommand(backend, flags));
    });
  program.hook('preSubcommand', (_program, command) => refuseMisplacedOptions(program, command));
  program
    .command('doctor')
    .description('show what this machine can test in each lane, and how to fix what is missing')
    .option('--ralph <path>', 'the ralph to test: a path, or "embedded" for the stand-in')
    .option('--env <name>', 'pass on this variable of your environment (repeatable)', append)
    .option('--json', 'print it as JSON')
    .action(async (flags: { ralph?: string; env?: string[]; json?: boolean }) => {
      const { doctorCommand } = await import('./commands/doctor.js');
      done(await doctorCommand(flags));
    });
  program
    .command('prove')
    .description('show for every scenario that it fails when what it tests is broken')
    .argument('[backend]', 'backend to prove on; by default the first of each scenario', 'all')
    .option('-q, --quiet', 'show only what is wrong and the verdict')
    .option(
      '--filter <pattern>',
      'prove what matches: part of an id or tier, glob, or /regex/ (repeatable)',
      append,
    )
    .option('--scenarios <file>', 'scenarios of your own instead of ours: a module (repeatable)', append)
    .option('--lane <lane>', 'how real the backend is: sim, scripted', 'sim')
    .option('--ralph <path>', 'the ralph to prove on: a path, or "embedded" for the stand-in')
    .option('-j, --jobs <n>', 'how many runs at the same time; those that mostly wait overlap more')
    .option('--saboteurs <kinds>', 'which saboteurs: all, or some of agent, config, target', 'all')
    .option('--output <dir>', 'where workspaces, runs and reports go', '.e2e-tests')
    .option('--json', 'print the proof as JSON on stdout, the rest on stderr')
    .action(async (backend: string, flags: ProveFlags) => {
      const { proveCommand } = await import('./commands/prove.js');
      done(await proveCommand(backend, flags));
    });
  program
    .command('compare')
    .description('tell what changed between two reports: new failures, fixed, slower and so on')
    .argument('<before>', 'report.json of the earlier run')
    .argument('<after>', 'report.json of the later run')
    .option('--json', 'print it as JSON')
    .option('--markdown', 'print it as markdown')
    .option('--html', 'print it as a page: one file that opens from disk')
    .action(async (before: string, after: string, flags: CompareFlags) => {
      const { compareCommand } = await import('./commands/compare.js');
      done(await compareCommand(before, after, flags));
    });
  program
    .command('serve')
    .description('play a script as the model behind real agent CLIs, on loopback')
    .option('--script <file>', 'the script to play: YAML, TOML or JSON; with --record the one to write')
    .option('--record <url>', 'pass everything on to a real API and write a script that replays it')
    .option('--port <n>', 'the port to listen on; 0 takes any that is free', '0')
    .option('--requests <file>', 'append every request to this file, one JSON object a line')
    .option('--strict', 'fail at the end if a rule or a turn was never used')
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import('./commands/serve.js');
      done(await serveCommand(flags));
    });
  program
    .command('mcp-stub')
    .description('play a script as an MCP server on stdio')
    .option('--script <file>', 'the tools and what they answer: JSON')
    .option('--mocks <file>', 'answers by tool that go before those of the script; read at every call')
    .option('--calls <file>', 'append every call to this file, one JSON object a line')
    .action(async (flags: McpStubFlags) => {
      const { mcpStubCommand } = await import('./commands/mcp-stub.js');
      done(await mcpStubCommand(flags));
    });
  program
    .command('clean')
    .description('remove the workspaces, runs and reports that ralph-e2e made')
    .option('--output <dir>', 'the folder to clean', '.e2e-tests')
    .action(async (flags: { output: string }) => {
      const { cleanCommand } = await import('./commands/clean.js');
      done(await cleanCommand(flags));
    });
  program
    .command('show')
    .description('print or open the report of an earlier run')
    .argument('[run]', 'the id of the run or its beginning; without it the latest')
    .option('--format <format>', 'terminal (the default), or one that --report knows')
    .option('--open', 'open it instead, as a double click does')
    .option('--list', 'list the runs with their verdicts')
    .option('-v, --verbose', 'in the terminal: every assertion, command line and event')
    .option('--output <dir>', 'the folder of the runs', '.e2e-tests')
    .action(async (run: string | undefined, flags: ShowFlags) => {
      const { showCommand } = await import('./commands/show.js');
      done(await showCommand(run, flags));
    });
  const sim = program
    .command('sim')
    .description('play a script as an agent CLI: `ralph-e2e sim claude --script F -- -p "hello"`')
    .argument('<backend>', 'the CLI to play: claude, kiro, opencode, codex, gemini, pi')
    .argument('[argv...]', 'the arguments of the CLI, after `--`')
    .option('--script <file>', 'the script to play: YAML, TOML or JSON')
    .option('--log <file>', 'append every call to this file, one JSON object a line, and go on from it')
    .option('--strict', 'fail if a rule or a turn of the script was never used')
    .action(async (backend: string, argv: string[], flags: SimFlags) => {
      const { simCommand } = await import('./commands/sim.js');
      done(await simCommand(backend, argv, flags));
    });
  sim
    .command('convert')
    .description('print a script in the format of today')
    .argument('<file>', 'a script for claudeless, or one of ours in another syntax')
    .option('--ours', 'into our own format, and not just the next one of claudeless')
    .action(async (file: string, flags: { ours?: boolean }) => {
      const { convertCommand } = await import('./commands/sim.js');
      done(await convertCommand(file, flags));
    });
  program
    .command('conform')
    .description('compare a stand-in with the real CLI, field by field')
    .argument('<backend>', 'the CLI to compare: claude')
    .option('--executable <path>', 'the real program; by default the one on PATH')
    .option('--min <percent>', 'fail below this share of equal fields', '95')
    .option('--json', 'print the comparison as JSON')
    .action(async (backend: string, flags: ConformFlags) => {
      const { conformCommand } = await import('./commands/conform.js');
      done(await conformCommand(backend, flags));
    });
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
  2    nothing could be tested: a mistake in the call, no ralph, no workspace, everything skipped
  130  interrupted`;

function append(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

/** A disk that is full or closed to us is the machine's state, not a bug. */
const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'];

/** A user's mistake gets a sentence; a bug of ours keeps its stack, because that is what finds it. */
function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.passed;
    process.stderr.write(`${error.message}\nRun \`ralph-e2e --help\` for what there is.\n`);
    return EXIT.untested;
  }
  if (error instanceof KnownError) {
    process.stderr.write(`error: ${error.message}\n${error.hint === undefined ? '' : `${error.hint}\n`}`);
    return EXIT.untested;
  }
  if (hasErrorCode(error, ...UNWRITABLE)) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `error: a file cannot be read or written: ${reason}\nChoose another folder with --output.\n`,
    );
    return EXIT.untested;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `ralph-e2e ${harnessVersion()} has a bug; please report it with what follows.\n${stack}\n`,
  );
  return EXIT.untested;
}
