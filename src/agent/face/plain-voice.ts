import type { Failure } from '../../domain/agent-script.js';
import type { ToolUse } from '../engine/play.js';
import type { Voice } from './plain-face.js';
import type { Write } from './surroundings.js';

/** Makes the voice of a CLI that prints plain text: answers and tools on stdout, errors on stderr. */
export function plainVoice(
  write: Write,
  style: {
    /** How the CLI shows a tool on stdout; null if it does not. */
    readonly describeTool: ((tool: ToolUse) => string) | null;
    readonly describeFailure: (failure: Failure) => string;
  },
): Voice {
  let exitCode = 0;
  return {
    show(action) {
      switch (action.kind) {
        case 'text':
          return write('stdout', `${action.text}\n`);
        case 'tool':
          if (style.describeTool !== null) write('stdout', `${style.describeTool(action.tool)}\n`);
          return;
        case 'failure':
          exitCode = 1;
          return write('stderr', `${style.describeFailure(action.failure)}\n`);
        case 'hang':
          return;
        default:
          action satisfies never;
      }
    },
    end: () => exitCode,
  };
}
