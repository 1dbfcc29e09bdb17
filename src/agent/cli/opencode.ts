import { IMITATED_VERSIONS, STAND_IN_MARK } from '../../domain/stand-ins.js';
import type { Call, Face } from './face.js';
import { parseOptions } from './options.js';
import { plainVoice } from './plain-voice.js';
import { promptFromArgument } from './prompt-argument.js';
import { runFace } from './run-face.js';

/** OpenCode: `opencode run PROMPT`; the answer on stdout, everything else on stderr. */
const opencode: Face = {
  backend: 'opencode',

  interpret([command, ...rest], loggedIn): Call {
    switch (command) {
      case '--version':
        return { kind: 'print', text: `${IMITATED_VERSIONS.opencode} ${STAND_IN_MARK}`, exitCode: 0 };
      case 'auth':
        // The real one exits 0 whether or not there are credentials: callers must read the count.
        return {
          kind: 'print',
          text: loggedIn ? '●  Stand-in api\n└  1 credentials' : '└  0 credentials',
          exitCode: 0,
        };
      case 'run':
        return interpretRun(rest);
      default:
        return notPlayed(`"${command ?? ''}": expected run, auth list or --version`);
    }
  },

  speak: (write) =>
    plainVoice(write, {
      tools: 'stderr',
      refusal: 'Error: invalid x-api-key',
      describeTool: (tool) => (tool.name === 'run' ? `$ ${tool.command}` : `← Write ${tool.path}`),
    }),
};

function interpretRun(argv: readonly string[]): Call {
  const { unknown, positionals } = parseOptions(argv, {
    flags: ['--auto'],
    values: ['--model', '-m', '--agent'],
  });
  if (unknown !== null) return { kind: 'refuse', message: `Unknown argument: ${unknown}`, exitCode: 1 };
  if (positionals.length > 0) return promptFromArgument(positionals.join(' '));
  return { kind: 'refuse', message: 'Error: You must provide a message or a command', exitCode: 1 };
}

function notPlayed(what: string): Call {
  return {
    kind: 'refuse',
    message: `ralph-e2e: the stand-in for opencode does not play ${what}.`,
    exitCode: 70,
  };
}

void runFace(opencode);
