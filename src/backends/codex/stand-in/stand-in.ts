import { parseOptions } from '../../../agent/stand-in/options.js';
import {
  type CliCall,
  describeServiceFailure,
  type Printer,
  plainStandIn,
  print,
} from '../../../agent/stand-in/plain-stand-in.js';
import { inScriptedLane, NotPlayed } from '../../../agent/stand-in/run-stand-in.js';
import type { Write } from '../../../agent/stand-in/surroundings.js';
import { standInVersion } from '../../../domain/stand-ins.js';

const notPlayed = (what: string) => new NotPlayed('codex', what, inScriptedLane('Codex'));

/** Codex: `codex exec --yolo PROMPT`; its last message on stdout, errors on stderr. */
export const codexStandIn = plainStandIn('codex', ({ argv, write }, loggedIn): CliCall => {
  const [command = '', ...rest] = argv;
  if (command === '--version') return print(`codex-cli ${standInVersion('codex')}`);
  if (argv.join(' ') === 'login status')
    return loggedIn
      ? print('API key configured - stand-in', 0, 'stderr')
      : print('Not logged in', 1, 'stderr');
  if (command !== 'exec') throw notPlayed(`"${command}": expected exec, login status or --version`);
  return interpretExec(rest, write);
});

function interpretExec(argv: readonly string[], write: Write): CliCall {
  // `--yolo` is not in its help, but accepted, and Ralph passes it.
  const table = {
    flags: ['--yolo', '--skip-git-repo-check'],
    values: ['--model', '--config'],
    spellings: { '-m': '--model', '-c': '--config', '--dangerously-bypass-approvals-and-sandbox': '--yolo' },
  };
  const { flags, values, given, positionals } = parseOptions(argv, table, notPlayed);
  if (!flags.has('--yolo')) throw notPlayed('its sandbox (use --yolo)');
  const [argument] = positionals;
  if (argument === undefined || argument === '-')
    throw notPlayed('a prompt on stdin (pass it as an argument)');
  return {
    kind: 'prompt',
    argument,
    model: values.get('--model'),
    given,
    printer: lastMessagePrinter(write),
  };
}

/**
 * Prints only the agent's last message on stdout, at the end, or a failure on stderr: a line when it happens, and one as
 * the result of the turn. What else the real CLI prints on stderr, seconds earlier, is left out: Ralph reads the two
 * pipes in any order, and a line on stderr that it reads after the promise voids the promise.
 */
function lastMessagePrinter(write: Write): Printer {
  let message: string[] = [];
  let isOver = false;
  let exitCode = 0;
  return {
    show(action) {
      switch (action.kind) {
        case 'text':
          message = isOver ? [action.text] : [...message, action.text];
          isOver = false;
          return;
        case 'tool':
          isOver = true;
          return;
        case 'failure': {
          exitCode = 1;
          const line = `ERROR: unexpected status ${describeServiceFailure(action.failure)}`;
          return write('stderr', `${line}\n${line}\n`);
        }
        case 'hang':
          return;
        default:
          action satisfies never;
      }
    },
    end() {
      if (exitCode === 0 && message.length > 0) write('stdout', `${message.join('\n')}\n`);
      return exitCode;
    },
  };
}
