import type { Action, ToolUse } from '../../../agent/engine/play.js';
import { makeId, randomUUID } from '../../../agent/engine/random-id.js';
import type { Printer } from '../../../agent/stand-in/plain-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import { describeServiceFailure } from '../../last-message-printer.js';

type ToolAction = Extract<Action, { kind: 'tool' }>;

/** The printer of `pi --mode json`. It always exits with 0; only the last message reports a failure. */
export function piJsonPrinter(
  { write, cwd }: Pick<Surroundings, 'write' | 'cwd'>,
  { prompt, model = 'scripted-model' }: { readonly prompt: string; readonly model?: string | undefined },
): Printer {
  const emit = (type: string, more: object = {}) => write('stdout', `${JSON.stringify({ type, ...more })}\n`);
  const messages: object[] = [];
  const end = (message: object) => {
    messages.push(message);
    emit('message_end', { message });
  };
  /** The texts of the current message; each starts a new line. */
  let texts: string[] = [];
  let begun = false;

  const begin = () => {
    if (begun) return;
    begun = true;
    write('stdout', sessionLine(cwd));
    emit('agent_start');
    emit('turn_start');
    const message = { role: 'user', content: [text(prompt)], timestamp: Date.now() };
    emit('message_start', { message });
    end(message);
  };
  const assistant = (content: object[], stopReason: string, more: object = {}) => ({
    ...{ role: 'assistant', content, api: 'openai-completions', provider: 'stand-in', model, usage: USAGE },
    ...{ stopReason, timestamp: Date.now(), ...more },
  });
  const update = (event: object, content: object[]) =>
    emit('message_update', { assistantMessageEvent: event, message: assistant(content, 'stop') });
  /** Emits the texts so far as an unfinished message. */
  const speak = (): object[] => {
    emit('message_start', { message: assistant([], 'stop') });
    if (texts.length === 0) return [];
    const whole = texts.join('\n');
    const content = [text(whole)];
    texts = [];
    update({ type: 'text_start', contentIndex: 0 }, content);
    update({ type: 'text_delta', contentIndex: 0, delta: whole }, content);
    update({ type: 'text_end', contentIndex: 0, content: whole }, content);
    return content;
  };
  const finishTurn = (message: object, toolResults: object[] = []) => {
    end(message);
    return emit('turn_end', { message, toolResults });
  };
  const useTool = ({ tool, result, isError }: ToolAction) => {
    const said = speak();
    const { name, args } = toPiTool(tool);
    const call = { toolCallId: makeId('call_'), toolName: name };
    const toolCall = { type: 'toolCall', id: call.toolCallId, name, arguments: args };
    const content = [...said, toolCall];
    const contentIndex = said.length;
    update({ type: 'toolcall_start', contentIndex }, content);
    update({ type: 'toolcall_delta', contentIndex, delta: JSON.stringify(args) }, content);
    update({ type: 'toolcall_end', contentIndex, toolCall }, content);
    const message = assistant(content, 'toolUse');
    end(message);
    emit('tool_execution_start', { ...call, args });
    emit('tool_execution_end', { ...call, result: { content: [text(result)] }, isError });
    const answer = { role: 'toolResult', ...call, content: [text(result)], isError, timestamp: Date.now() };
    emit('message_start', { message: answer });
    end(answer);
    emit('turn_end', { message, toolResults: [answer] });
    emit('turn_start');
  };

  let failed = false;
  return {
    show(action) {
      begin();
      switch (action.kind) {
        case 'text':
          texts.push(action.text);
          return;
        case 'tool':
          return useTool(action);
        case 'failure':
          failed = true;
          return finishTurn(
            assistant(speak(), 'error', { errorMessage: describeServiceFailure(action.failure) }),
          );
        case 'hang':
          speak();
          return;
        default:
          action satisfies never;
      }
    },
    end() {
      begin();
      if (!failed) finishTurn(assistant(speak(), 'stop'));
      emit('agent_end', { messages });
      return 0;
    },
  };
}

/** Makes the first line of every call. */
export function sessionLine(cwd: string): string {
  const session = { type: 'session', version: 3, id: randomUUID(), timestamp: new Date().toISOString(), cwd };
  return `${JSON.stringify(session)}\n`;
}

const USAGE = {
  ...{ input: 100, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 110 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function text(value: string): object {
  return { type: 'text', text: value };
}

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
