import { parseOptions } from '../../../agent/stand-in/options.js';
import {
  type CliCall,
  describeFailure,
  plainPrinter,
  plainStandIn,
  print,
  refuse,
} from '../../../agent/stand-in/plain-stand-in.js';
import { NotPlayed } from '../../../agent/stand-in/run-stand-in.js';
import type { Write } from '../../../agent/stand-in/surroundings.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { serveAcp } from './acp.js';

const NOWHERE_ELSE =
  'No other offline lane runs Kiro: it is in no package registry and cannot be pointed at another service.';

const notPlayed = (what: string) => new NotPlayed('kiro-cli', what, NOWHERE_ELSE);

/** Kiro CLI: `kiro-cli chat --no-interactive --trust-all-tools PROMPT` in plain text, and `kiro-cli acp`. */
export const kiroStandIn = plainStandIn('kiro', ({ argv, write }, loggedIn): CliCall => {
  const [command = '', ...rest] = argv;
  switch (command) {
    case '--version':
      return print(`kiro-cli ${standInVersion('kiro')}`);
    case 'whoami':
      return loggedIn ? print('Logged in (stand-in)') : print('Not logged in', 1, 'stderr');
    case 'chat':
      return interpretChat(rest, write);
    case 'acp':
      parseOptions(rest, { flags: ['--trust-all-tools'], values: ['--agent', '--model'] }, notPlayed);
      return { kind: 'serve', serve: serveAcp };
    default:
      throw notPlayed(`"${command}": expected chat, acp, whoami or --version`);
  }
});

function interpretChat(argv: readonly string[], write: Write): CliCall {
  const table = {
    flags: ['--no-interactive', '--trust-all-tools'],
    values: ['--agent', '--model'],
  };
  const { flags, values, given, positionals } = parseOptions(argv, table, notPlayed);
  if (!flags.has('--no-interactive')) throw notPlayed('the interactive chat (use --no-interactive)');
  const [argument] = positionals;
  if (argument === undefined)
    return refuse('error: Input must be supplied when running in non-interactive mode');
  if (!flags.has('--trust-all-tools')) throw notPlayed('questions about tools (use --trust-all-tools)');
  const printer = plainPrinter(write, {
    describeTool: (tool) =>
      tool.name === 'run' ? `I will run the following command: ${tool.command}` : `Using tool: ${tool.name}`,
    describeFailure: (failure) =>
      failure.type === 'authentication'
        ? 'error: You are not logged in, please log in with kiro-cli login'
        : `error: ${describeFailure(failure)}`,
  });
  return { kind: 'prompt', argument, model: values.get('--model'), given, printer };
}
