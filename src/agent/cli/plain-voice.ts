import type { ToolUse } from '../play.js';
import type { Voice, Write } from './face.js';

/** The voice of CLIs that print plain text: what the agent says on one stream, its tools and errors on the other. */
export function plainVoice(
  write: Write,
  style: { tools: 'stdout' | 'stderr'; refusal: string; describeTool: (tool: ToolUse) => string },
): Voice {
  let exitCode = 0;
  return {
    begin: () => {},
    show(action) {
      switch (action.kind) {
        case 'text':
          return write('stdout', `${action.text}\n`);
        case 'tool':
          return write(style.tools, `${style.describeTool(action.tool)}\n`);
        case 'credentials-refused':
          exitCode = 1;
          return write('stderr', `${style.refusal}\n`);
        case 'hang':
          return;
        default:
          action satisfies never;
      }
    },
    end: () => exitCode,
  };
}
