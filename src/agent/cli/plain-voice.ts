import type { Failure } from '../../domain/agent-script.js';
import type { ToolUse } from '../play.js';
import type { Write } from './face.js';
import type { Voice } from './plain-face.js';

/** The voice of CLIs that print plain text: what the agent says on one stream, its tools and errors on the other. */
export function plainVoice(
  write: Write,
  style: {
    readonly tools: 'stdout' | 'stderr';
    readonly describeTool: (tool: ToolUse) => string;
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
          return write(style.tools, `${style.describeTool(action.tool)}\n`);
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
