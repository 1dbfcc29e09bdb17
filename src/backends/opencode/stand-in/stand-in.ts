import { parseOptions } from '../../../agent/stand-in/options.js';
import {
  type CliCall,
  describeFailure,
  type Printer,
  plainPrinter,
  plainStandIn,
  print,
  refuse,
} from '../../../agent/stand-in/plain-stand-in.js';
import { findPromptFile } from '../../../agent/stand-in/prompt-argument.js';
import { inScriptedLane, NotPlayed } from '../../../agent/stand-in/run-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { opencodeJsonPrinter } from './json-printer.js';
import { type Rejection, rejectReading } from './permissions.js';
import { chooseSession } from './sessions.js';

const notPlayed = (what: string) => new NotPlayed('opencode', what, inScriptedLane('OpenCode'));

/** OpenCode: `opencode run PROMPT`; the answer on stdout and errors on stderr, or events with `--format json`. */
export const opencodeStandIn = plainStandIn('opencode', (around, loggedIn): CliCall => {
  const [command = '', ...rest] = around.argv;
  if (command === '--version') return print(standInVersion('opencode'));
  // The real CLI exits with 0 whether or not there are credentials: callers must read the count.
  if (around.argv.join(' ') === 'auth list')
    return print(loggedIn ? '●  Stand-in api\n└  1 credentials' : '└  0 credentials');
  if (command !== 'run') throw notPlayed(`"${command}": expected run, auth list or --version`);
  return interpretRun(rest, around);
});

function interpretRun(argv: readonly string[], around: Surroundings): CliCall {
  const table = {
    flags: ['--auto'],
    values: ['--model', '--agent', '--format', '--session', '--variant'],
    spellings: { '-m': '--model', '-s': '--session' },
  };
  const { values, given, positionals } = parseOptions(argv, table, notPlayed);
  const format = values.get('--format') ?? 'default';
  if (format !== 'default' && format !== 'json') throw notPlayed(`--format ${format}`);
  if (positionals.length === 0) return refuse('Error: You must provide a message or a command');
  const session = chooseSession(around, values.get('--session'));
  if (session === null) return refuse('Error: Session not found');
  const printer = format === 'json' ? opencodeJsonPrinter(around.write, session.id) : textPrinter(around);
  const argument = positionals.join(' ');
  session.remember(argument);
  const file = findPromptFile(argument);
  const rejection = file === null ? null : rejectReading(file, around, given);
  if (file !== null && rejection !== null) return playRejection(file, rejection, format, printer);
  return {
    kind: 'prompt',
    argument,
    model: values.get('--model'),
    conversation: session.id,
    earlier: session.earlier.join('\n'),
    given,
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
