import type { Failure } from '../../domain/agent-script.js';
import type { ToolUse } from '../engine/play.js';
import type { Voice } from './plain-face.js';
import type { Write } from './surroundings.js';

/** The voice of CLIs that print plain text: what the agent says and does on stdout, errors on stderr. */
export function plainVoice(
  write: Write,
  style: {
    /** How it shows a tool on stdout; null where it shows none there. */
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
