import { parseOptions } from '../../../agent/stand-in/options.js';
import {
  type CliCall,
  describeFailure,
  type Printer,
  plainPrinter,
  plainStandIn,
} from '../../../agent/stand-in/plain-stand-in.js';
import { findPromptFile, readPromptArgument } from '../../../agent/stand-in/prompt-argument.js';
import { inScriptedLane, refuseUnplayed } from '../../../agent/stand-in/run-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { opencodeJsonPrinter } from './json-printer.js';
import { type Rejection, rejectReading } from './permissions.js';
import { chooseSession } from './sessions.js';

/** OpenCode: `opencode run PROMPT`; the answer on stdout and errors on stderr, or events with `--format json`. */
export const opencodeStandIn = plainStandIn('opencode', (around, loggedIn): CliCall => {
  const [command, ...rest] = around.argv;
  switch (command) {
    case '--version':
      return { kind: 'print', text: standInVersion('opencode'), exitCode: 0 };
    case 'auth':
      if (rest[0] !== 'list' && rest[0] !== 'ls') return notPlayed(`"auth ${rest[0] ?? ''}"`);
      // The real CLI exits with 0 whether or not there are credentials: callers must read the count.
      return {
        kind: 'print',
        text: loggedIn ? '●  Stand-in api\n└  1 credentials' : '└  0 credentials',
        exitCode: 0,
      };
    case 'run':
      return interpretRun(rest, around);
    default:
      return notPlayed(`"${command ?? ''}": expected run, auth list or --version`);
  }
});

function interpretRun(argv: readonly string[], around: Surroundings): CliCall {
  const { unknown, values, given, positionals } = parseOptions(argv, {
    flags: ['--auto', '--print-logs', '--continue', '-c', '--thinking'],
    values: [
      '--model',
      '-m',
      '--agent',
      '--format',
      '--title',
      '--session',
      '-s',
      '--dir',
      '--log-level',
      '--variant',
    ],
  });
  if (unknown !== null) return { kind: 'refuse', message: `Unknown argument: ${unknown}`, exitCode: 1 };
  const format = values.get('--format') ?? 'default';
  if (format !== 'default' && format !== 'json') {
    const message = `Invalid values:\n  Argument: format, Given: "${format}", Choices: "default", "json"`;
    return { kind: 'refuse', message, exitCode: 1 };
  }
  if (positionals.length === 0) {
    return { kind: 'refuse', message: 'Error: You must provide a message or a command', exitCode: 1 };
  }
  const model = values.get('--model') ?? values.get('-m');
  const session = chooseSession(around, {
    named: values.get('--session') ?? values.get('-s'),
    continues: given.includes('--continue') || given.includes('-c'),
  });
  if (session === null) return { kind: 'refuse', message: 'Error: Session not found', exitCode: 1 };
  const printer = format === 'json' ? opencodeJsonPrinter(around.write, session.id) : textPrinter(around);
  const argument = positionals.join(' ');
  session.remember(argument);
  const file = findPromptFile(argument);
  const rejection = file === null ? null : rejectReading(file, around, given);
  if (file !== null && rejection !== null) return playRejection(file, rejection, format, printer);
  return {
    kind: 'prompt',
    ...readPromptArgument(argument),
    ...(model === undefined ? {} : { model }),
    conversation: session.id,
    earlier: session.earlier.join('\n'),
    flags: given,
    printer,
  };
}

/** The model asks to read its task, the CLI rejects it, and the run ends: exit code 0, nothing on stdout. */
function playRejection(
  path: string,
  { result, lines }: Rejection,
  format: string,
  printer: Printer,
): CliCall {
  return {
    kind: 'serve',
    serve: async ({ write }, responder) => {
      printer.show({ kind: 'tool', tool: { name: 'read', path }, result, isError: true });
      for (const line of format === 'json' ? lines.slice(0, 1) : lines) write('stderr', `${line}\n`);
      responder.record('not-a-prompt', lines[0]);
      return printer.end();
    },
  };
}

function textPrinter({ write }: Surroundings): Printer {
  return plainPrinter(write, {
    // The real CLI prints its tools on stderr, seconds before its last message. The stand-in would print both at once,
    // and Ralph reads the two pipes in any order: a line on stderr that it reads after the promise voids the promise.
    describeTool: null,
    describeFailure: (failure) =>
      failure.type === 'authentication' ? 'Error: invalid x-api-key' : `Error: ${describeFailure(failure)}`,
  });
}

function notPlayed(what: string): CliCall {
  return refuseUnplayed('opencode', what, inScriptedLane('OpenCode'));
}
