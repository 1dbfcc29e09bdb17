import type { ToolUse } from '../../../agent/engine/play.js';
import { makeId, randomUUID } from '../../../agent/engine/random-id.js';
import { describeServiceFailure, type Printer } from '../../../agent/stand-in/plain-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';

/**
 * The printer of `pi --mode json`, with the events that Ralph and ralph-e2e read. It always exits with 0; only the last
 * message reports a failure.
 */
export function piJsonPrinter(
  { write, cwd }: Pick<Surroundings, 'write' | 'cwd'>,
  model = 'scripted-model',
): Printer {
  const emit = (type: string, more: object = {}) => write('stdout', `${JSON.stringify({ type, ...more })}\n`);
  /** The texts of the current message; each starts a new line. */
  let texts: string[] = [];
  let begun = false;
  let failed = false;

  const begin = () => {
    if (begun) return;
    begun = true;
    write('stdout', sessionLine(cwd));
    emit('agent_start');
  };
  /** Emits the texts so far as a message, which is also a turn. */
  const finishMessage = (stopReason: string, more: object = {}) => {
    const said = texts.join('\n');
    texts = [];
    const message = { role: 'assistant', provider: 'stand-in', model, usage: USAGE, stopReason, ...more };
    emit('message_start', { message });
    if (said !== '')
      emit('message_update', {
        assistantMessageEvent: { type: 'text_delta', contentIndex: 0, delta: said },
      });
    emit('message_end', { message });
    return () => emit('turn_end', { message });
  };

  return {
    show(action) {
      begin();
      switch (action.kind) {
        case 'text':
          texts.push(action.text);
          return;
        case 'tool': {
          const endTurn = finishMessage('toolUse');
          const { name, args } = toPiTool(action.tool);
          const call = { toolCallId: makeId('call_'), toolName: name };
          const result = { content: [{ type: 'text', text: action.result }] };
          emit('tool_execution_start', { ...call, args });
          emit('tool_execution_end', { ...call, result, isError: action.isError });
          return endTurn();
        }
        case 'failure':
          failed = true;
          return finishMessage('error', { errorMessage: describeServiceFailure(action.failure) })();
        case 'hang':
          finishMessage('stop');
          return;
        default:
          action satisfies never;
      }
    },
    end() {
      begin();
      if (!failed) finishMessage('stop')();
      emit('agent_end');
      return 0;
    },
  };
}

/** Makes the first line of every call. */
export function sessionLine(cwd: string): string {
  const session = { type: 'session', version: 3, id: randomUUID(), timestamp: new Date().toISOString(), cwd };
  return `${JSON.stringify(session)}\n`;
}

const USAGE = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } };

function toPiTool(tool: ToolUse): { readonly name: string; readonly args: object } {
  switch (tool.name) {
    case 'write':
      return { name: 'write', args: { path: tool.path, content: tool.content } };
    case 'edit':
      return {
        name: 'edit',
        args: { path: tool.path, edits: [{ oldText: tool.old, newText: tool.new }] },
      };
    case 'read':
      return { name: 'read', args: { path: tool.path } };
    case 'run':
      return { name: 'bash', args: { command: tool.command } };
    case 'native':
      return { name: tool.tool, args: tool.input };
    default:
      return tool satisfies never;
  }
}
