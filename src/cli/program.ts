import { Command, CommanderError, Option } from 'commander';
import * as z from 'zod';
import { listedName, NAMED_BACKENDS, PRIMARY_BACKENDS } from '../domain/backends.js';
import { isKnownError, KnownError } from '../domain/common/known-error.js';
import { messageOf, stackOf } from '../domain/common/message-of.js';
import { suggestNearest } from '../domain/common/nearest.js';
import { hasErrorCode } from '../exec/error-code.js';
import { harnessVersion } from '../exec/files/package-root.js';
import { blameScenario } from '../run/attempt/blame-scenario.js';
import { addAgentCommands } from './agent-commands.js';
import { addHelp, asksForAll } from './command.js';
import { EXIT, type ExitCode, endWith, exitNow, guardExitCode } from './exit-codes.js';
import { blameConfig, type UsedConfig, useConfigFile } from './input/config-file.js';
import { importThrough } from './input/import-module.js';
import { addRunOptions, type RunFlags } from './input/run-flags.js';
import { refuseEmptyValues } from './input/values.js';
import { addRunCommands } from './run-commands.js';
import { forbidColor, say } from './screen.js';

/** Parses the command line, runs the command that it names, and sets the exit code. */
export async function runProgram(
  argv: readonly string[],
  importer: Parameters<typeof importThrough>[0],
): Promise<void> {
  guardExitCode();
  // Errors in timers and promises that nobody awaits: those of a scenario file, or a bug of ours.
  process.on('uncaughtException', (error) => exitNow(explain(error)));
  importThrough(importer);
  // A run parses each shape only a few times: compiling the parsers would cost more than it saves.
  z.config({ jitless: true });
  endWith(await runNamed(argv));
}

/** Runs the command that the arguments name, and returns its exit code. What goes wrong is printed. */
export async function runNamed(argv: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    process.stderr.write(
      'ralph-e2e needs Linux or macOS: it uses their process tables to end process trees. On Windows, use WSL.\n',
    );
    return EXIT.untested;
  }
  let exitCode: number = EXIT.passed;
  let config: UsedConfig | null = null;
  const program = defineProgram(asksForAll(argv), {
    done: (code) => {
      exitCode = code;
    },
    onConfig: (used) => {
      config = used;
    },
  });
  try {
    refuseHelpAbout(program, argv);
    await program.parseAsync(asksForHelp(argv) ? [...namesOf(program, argv), '--help'] : argv, {
      from: 'user',
    });
    return exitCode;
  } catch (error) {
    return explain(blameConfig(error, config));
  }
}

/** Whether somebody asks for help. Mistakes beside that do not matter. After `--`, words belong to another program. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).some((word) => word === '--help' || word === '-h');
}

/** Returns the words at the beginning that name a command, such as `sim convert`. */
function namesOf(command: Command, [first, ...rest]: readonly string[]): string[] {
  const found = command.commands.find((one) => one.name() === first);
  return found === undefined ? [] : [found.name(), ...namesOf(found, rest)];
}

/** Refuses `help foo`, for which commander prints the whole help. */
function refuseHelpAbout(program: Command, argv: readonly string[]): void {
  const names = namesOf(program, argv);
  const [help, name] = argv.slice(names.length);
  if (help !== 'help' || name === undefined || name.startsWith('-')) return;
  const command = names.reduce(
    (one, word) => one.commands.find((sub) => sub.name() === word) ?? one,
    program,
  );
  if (command.commands.length === 0 || command.commands.some((sub) => sub.name() === name)) return;
  const known = command
    .createHelp()
    .visibleCommands(command)
    .map((sub) => sub.name());
  throw new KnownError(`Unknown command "${[...names, name].join(' ')}".`, {
    hint: `${suggestNearest(name, known)}See \`${pathOf(command)} --help\`.`,
  });
}

const PURPOSE =
  'Release tests for the Ralph orchestrator: runs it with agent CLIs in fresh workspaces and checks what happened.';
const BACKENDS_LINE = `Backends: ${PRIMARY_BACKENDS.join(', ')} (default: these), ${NAMED_BACKENDS.join(', ')}.`;

/** Defines the command line. Each command is loaded when it is called. */
function defineProgram(
  isWhole: boolean,
  {
    done,
    onConfig,
  }: {
    readonly done: (code: number) => void;
    readonly onConfig: (config: UsedConfig | null) => void;
  },
): Command {
  const program = new Command('ralph-e2e');
  program
    .description(isWhole ? PURPOSE : `${PURPOSE}\n${BACKENDS_LINE}`)
    .version(harnessVersion(), '-V, --version', 'print the version')
    .enablePositionalOptions()
    .helpCommand('help [command]', 'show this help, or the options of a command')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .argument(
      '[backends...]',
      isWhole
        ? `backends to test: ${PRIMARY_BACKENDS.map((id) => listedName(id, id)).join(', ')}, or all of these (default); ${NAMED_BACKENDS.join(', ')} run only if you name them`
        : '',
    )
    .action(async (backends: string[], flags: RunFlags) => {
      const { defaultCommand } = await import('./commands/run.js');
      const commands = program
        .createHelp()
        .visibleCommands(program)
        .map((command) => command.name());
      done(await defaultCommand(backends, flags, commands));
    });
  addRunOptions(program, { isWhole });
  program.hook('preSubcommand', (_program, command) => refuseMisplacedOptions(program, command));
  program.hook('preAction', async (_program, command) => {
    refuseEmptyValues(command);
    onConfig(await useConfigFile(command));
  });
  addRunCommands(program, done);
  addAgentCommands(program, done);
  addHelp(program, { isWhole });
  for (const command of listCommands(program)) {
    const color = new Option('--no-color', 'print without colors, as with the variable NO_COLOR');
    command.addOption(color.hideHelp(command === program && !isWhole));
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

/** Errors that come from the machine, such as a full disk or a folder that somebody replaced, and not from a bug. */
const UNWRITABLE = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE'],
  ...['ENAMETOOLONG', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EBUSY', 'ENOTEMPTY', 'EEXIST', 'ENOENT'],
];

/** Prints a sentence for a user's mistake, and the stack for a bug of ours. */
function explain(thrown: unknown): ExitCode {
  if (thrown instanceof CommanderError) return EXIT.passed;
  if (thrown instanceof WrongUsage) {
    say(`${thrown.message}\n${thrown.hint}\n`);
    return EXIT.untested;
  }
  const error = blameScenario(thrown);
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
