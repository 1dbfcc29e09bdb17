import type { ToolUse } from '../../../agent/engine/play.js';
import { makeId } from '../../../agent/engine/random-id.js';
import { toFault } from '../../../agent/server/faults.js';
import type { Printer } from '../../../agent/stand-in/plain-stand-in.js';
import type { Write } from '../../../agent/stand-in/surroundings.js';
import type { Failure } from '../../../domain/agent-script.js';
import { REJECTION } from './permissions.js';

/** The printer of `opencode run --format json`: a line for each step, text, tool and error, with what is read of it. */
export function opencodeJsonPrinter(write: Write, sessionID: string): Printer {
  let inStep = false;
  let exitCode = 0;
  // The CLI asks the model again after its tools, and the answer may be empty. A rejected call or a failure ends it.
  let answerDue = true;
  const emit = (type: string, more: object) =>
    write('stdout', `${JSON.stringify({ type, sessionID, ...more })}\n`);
  const begin = () => {
    if (!inStep) emit('step_start', {});
    inStep = true;
  };
  const finish = (reason: string) => {
    emit('step_finish', { part: { reason, tokens: { input: 100, output: 10 }, cost: 0 } });
    inStep = false;
  };
  return {
    show(action) {
      switch (action.kind) {
        case 'text':
          begin();
          return emit('text', { part: { text: action.text } });
        case 'tool': {
          begin();
          const { tool, input } = toOpencodeTool(action.tool);
          const metadata = tool === 'bash' ? { exit: action.isError ? 1 : 0 } : {};
          // OpenCode reports a failed shell command as a completed tool.
          const isError = action.isError && tool !== 'bash';
          const outcome = isError
            ? { status: 'error', error: action.result }
            : { status: 'completed', output: action.result };
          const state = { ...outcome, input, metadata };
          emit('tool_use', { part: { tool, callID: makeId('call_'), state } });
          answerDue = action.result !== REJECTION;
          return finish('tool-calls');
        }
        case 'failure':
          exitCode = 1;
          answerDue = false;
          return emit('error', { error: describeError(action.failure) });
        case 'hang':
          return;
        default:
          action satisfies never;
      }
    },
    end() {
      if (answerDue) begin();
      if (inStep) finish('stop');
      return exitCode;
    },
  };
}

function describeError(failure: Failure): object {
  const fault = toFault(failure);
  if (fault.kind !== 'refuse') return { name: 'UnknownError', data: { message: failure.type } };
  return { name: 'APIError', data: { message: fault.message, statusCode: fault.status } };
}

function toOpencodeTool(tool: ToolUse): {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
} {
  switch (tool.name) {
    case 'write':
      return { tool: 'write', input: { filePath: tool.path, content: tool.content } };
    case 'edit':
      return { tool: 'edit', input: { filePath: tool.path, oldString: tool.old, newString: tool.new } };
    case 'read':
      return { tool: 'read', input: { filePath: tool.path } };
    case 'run':
      return { tool: 'bash', input: { command: tool.command, description: tool.command } };
    case 'native':
      return { tool: tool.tool, input: tool.input };
    default:
      return tool satisfies never;
  }
}
