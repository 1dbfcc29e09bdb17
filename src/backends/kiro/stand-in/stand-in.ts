import { parseOptions } from '../../../agent/stand-in/options.js';
import {
  type CliCall,
  describeFailure,
  plainPrinter,
  plainStandIn,
} from '../../../agent/stand-in/plain-stand-in.js';
import { readPromptArgument } from '../../../agent/stand-in/prompt-argument.js';
import { refuseUnplayed } from '../../../agent/stand-in/run-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { serveAcp } from './acp.js';

/** Kiro CLI: `kiro-cli chat --no-interactive --trust-all-tools PROMPT` in plain text, and `kiro-cli acp`. */
export const kiroStandIn = plainStandIn('kiro', (around, loggedIn): CliCall => {
  const [command, ...rest] = around.argv;
  switch (command) {
    case '--version':
    case 'version':
      return {
        kind: 'print',
        text: `kiro-cli ${standInVersion('kiro')}`,
        exitCode: 0,
      };
    case 'whoami':
      return loggedIn
        ? { kind: 'print', text: 'Logged in (stand-in)', exitCode: 0 }
        : { kind: 'print', text: 'Not logged in', exitCode: 1, stream: 'stderr' };
    case 'chat':
      return interpretChat(rest, around);
    case 'acp':
      return interpretAcp(rest);
    default:
      return notPlayed(`"${command ?? ''}": expected chat, acp, whoami or --version`);
  }
});

const UNTRUSTED =
  'Tool approval required but --no-interactive was specified. Use --trust-all-tools to automatically approve tools.';

function interpretChat(argv: readonly string[], { write }: Surroundings): CliCall {
  const { unknown, flags, values, given, positionals } = parseOptions(argv, {
    flags: ['--no-interactive', '--trust-all-tools'],
    values: ['--agent', '--model', '--trust-tools'],
  });
  if (unknown !== null)
    return { kind: 'refuse', message: `error: unexpected argument '${unknown}' found`, exitCode: 2 };
  if (!flags.has('--no-interactive')) return notPlayed('the interactive chat (use --no-interactive)');
  const [prompt] = positionals;
  if (prompt === undefined) {
    const message = 'error: Input must be supplied when running in non-interactive mode';
    return { kind: 'refuse', message, exitCode: 1 };
  }
  const model = values.get('--model');
  const printer = plainPrinter(write, {
    describeTool: (tool) =>
      tool.name === 'run' ? `I will run the following command: ${tool.command}` : `Using tool: ${tool.name}`,
    describeFailure: (failure) =>
      failure.type === 'authentication'
        ? 'error: You are not logged in, please log in with kiro-cli login'
        : `error: ${describeFailure(failure)}`,
  });
  return {
    kind: 'prompt',
    ...readPromptArgument(prompt),
    ...(model === undefined ? {} : { model }),
    flags: given,
    ...(flags.has('--trust-all-tools') || values.has('--trust-tools') ? {} : { denial: UNTRUSTED }),
    printer,
  };
}

function interpretAcp(argv: readonly string[]): CliCall {
  const { unknown } = parseOptions(argv, { flags: ['--trust-all-tools'], values: ['--agent', '--model'] });
  if (unknown !== null)
    return { kind: 'refuse', message: `error: unexpected argument '${unknown}' found`, exitCode: 2 };
  return { kind: 'serve', serve: serveAcp };
}

const NOWHERE_ELSE =
  'No other offline lane runs Kiro: it is in no package registry and cannot be pointed at another service.';

function notPlayed(what: string): CliCall {
  return refuseUnplayed('kiro-cli', what, NOWHERE_ELSE);
}
