import { IMITATED_VERSIONS, STAND_IN_MARK } from '../../domain/stand-ins.js';
import type { Call, Face } from './face.js';
import { parseOptions } from './options.js';
import { plainVoice } from './plain-voice.js';
import { promptFromArgument } from './prompt-argument.js';
import { runFace } from './run-face.js';

/** Kiro's CLI: `kiro-cli chat --no-interactive --trust-all-tools PROMPT`, plain text. */
const kiro: Face = {
  backend: 'kiro',

  interpret([command, ...rest], loggedIn): Call {
    switch (command) {
      case '--version':
      case 'version':
        return {
          kind: 'print',
          text: `kiro-cli ${IMITATED_VERSIONS['kiro-cli']} ${STAND_IN_MARK}`,
          exitCode: 0,
        };
      case 'whoami':
        return loggedIn
          ? { kind: 'print', text: 'Logged in (stand-in)', exitCode: 0 }
          : { kind: 'print', text: 'Not logged in', exitCode: 1, stream: 'stderr' };
      case 'chat':
        return interpretChat(rest);
      default:
        return notPlayed(`"${command ?? ''}": expected chat, whoami or --version`);
    }
  },

  speak: (write) =>
    plainVoice(write, {
      tools: 'stdout',
      refusal: 'error: You are not logged in, please log in with kiro-cli login',
      describeTool: (tool) =>
        tool.name === 'run' ? `I will run the following command: ${tool.command}` : `Creating: ${tool.path}`,
    }),
};

function interpretChat(argv: readonly string[]): Call {
  const { unknown, flags, positionals } = parseOptions(argv, {
    flags: ['--no-interactive', '--trust-all-tools'],
    values: ['--agent', '--model'],
  });
  if (unknown !== null)
    return { kind: 'refuse', message: `error: unexpected argument '${unknown}' found`, exitCode: 2 };
  if (!flags.has('--no-interactive')) return notPlayed('the interactive chat: call it with --no-interactive');
  const [prompt] = positionals;
  if (prompt !== undefined) return promptFromArgument(prompt);
  return {
    kind: 'refuse',
    message: 'error: Input must be supplied when running in non-interactive mode',
    exitCode: 1,
  };
}

function notPlayed(what: string): Call {
  return {
    kind: 'refuse',
    message: `ralph-e2e: the stand-in for kiro-cli does not play ${what}.`,
    exitCode: 70,
  };
}

void runFace(kiro);
