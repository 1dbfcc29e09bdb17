import type { Action, ToolUse } from '../../../agent/engine/play.js';
import { makeId, randomUUID } from '../../../agent/engine/random-id.js';
import { asMapping, parseMapping, textOfBlocks } from '../../../agent/stand-in/json.js';
import { describeFailure, playResponse } from '../../../agent/stand-in/plain-stand-in.js';
import { type Responder, ScriptMistake } from '../../../agent/stand-in/responder.js';
import { hang } from '../../../agent/stand-in/run-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import type { Failure } from '../../../domain/agent-script.js';
import { BACKEND_FACTS } from '../../../domain/backends.js';
import { messageOf } from '../../../domain/common/message-of.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Serves `kiro-cli acp`: the Agent Client Protocol, JSON-RPC with one message per line. One prompt runs at a time; a
 * cancellation ends it. If there is nothing to cancel, the client is done: Ralph sends it last, and waits for the exit.
 */
export async function serveAcp(around: Surroundings, responder: Responder): Promise<number> {
  const folders = new Map<string, string>();
  const send = (message: Json) =>
    around.write('stdout', `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let prompt: { readonly turn: AbortController; readonly end: Promise<void> } | null = null;

  for await (const line of around.readLines()) {
    const message = parseMapping(line);
    if (message === null) {
      send({
        id: null,
        error: { code: -32700, message: 'Parse error: expected one JSON-RPC message a line' },
      });
      continue;
    }
    const { id, method } = message;
    const params = asMapping(message.params);
    switch (method) {
      case 'initialize':
        send({ id, result: describeAgent() });
        break;
      case 'session/new': {
        const sessionId = randomUUID();
        folders.set(sessionId, typeof params.cwd === 'string' ? params.cwd : around.cwd);
        send({ id, result: { sessionId } });
        break;
      }
      case 'session/prompt': {
        const session = String(params.sessionId);
        const cwd = folders.get(session);
        if (cwd === undefined) {
          send({
            id,
            error: { code: -32602, message: `There is no session ${session}: call session/new first` },
          });
          break;
        }
        const turn = new AbortController();
        const reply = (outcome: Json) => send({ id, ...outcome });
        const end = answer(
          responder,
          { session, cwd, prompt: textOfBlocks(params.prompt) },
          turn.signal,
          send,
        )
          .then(reply, (error: unknown) => reply(explain(error, around)))
          .finally(() => {
            prompt = null;
          });
        prompt = { turn, end };
        break;
      }
      case 'session/cancel':
        if (prompt === null) return 0;
        prompt.turn.abort(new Error('cancelled'));
        break;
      default:
        if (id !== undefined)
          send({ id, error: { code: -32601, message: `Method not found: ${String(method)}` } });
    }
  }
  await prompt?.end;
  return 0;
}

async function answer(
  responder: Responder,
  { session, cwd, prompt }: { readonly session: string; readonly cwd: string; readonly prompt: string },
  signal: AbortSignal,
  send: (message: Json) => void,
): Promise<Json> {
  const update = (about: Json) =>
    send({ method: 'session/update', params: { sessionId: session, update: about } });
  const actions = playResponse(responder, { prompt, source: 'stdin', conversation: session }, cwd);
  for (;;) {
    const { done, value } = await actions.next();
    if (signal.aborted) return CANCELLED;
    if (done === true) return { result: { stopReason: value.stopReason ?? 'end_turn' } };
    if (value.kind === 'failure') return { error: { code: -32603, message: failureWords(value.failure) } };
    if (value.kind === 'hang') return hang(signal).catch(() => CANCELLED);
    for (const about of toUpdates(value)) update(about);
  }
}

const CANCELLED = { result: { stopReason: 'cancelled' } };

function describeAgent(): Json {
  return {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: false,
      promptCapabilities: { image: false, audio: false, embeddedContext: false },
    },
    authMethods: [],
    agentInfo: { name: 'kiro-cli', version: BACKEND_FACTS.kiro.imitates },
  };
}

/** Clients join the chunks of a message, so each text ends with a line feed, as in the chat. */
function toUpdates(action: Extract<Action, { kind: 'text' | 'tool' }>): Json[] {
  if (action.kind === 'text') {
    return [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${action.text}\n` } }];
  }
  const toolCallId = makeId('tooluse_');
  const status = action.isError ? 'failed' : 'completed';
  const content = [{ type: 'content', content: { type: 'text', text: action.result } }];
  return [
    { sessionUpdate: 'tool_call', toolCallId, status: 'pending', ...describeTool(action.tool) },
    { sessionUpdate: 'tool_call_update', toolCallId, status, content, rawOutput: { output: action.result } },
  ];
}

function describeTool(tool: ToolUse): Json {
  switch (tool.name) {
    case 'run':
      return { title: `Running: ${tool.command}`, kind: 'execute', rawInput: { command: tool.command } };
    case 'read':
      return { title: `Reading ${tool.path}`, kind: 'read', rawInput: { path: tool.path } };
    case 'write':
      return {
        title: `Writing ${tool.path}`,
        kind: 'edit',
        rawInput: { path: tool.path, content: tool.content },
      };
    case 'edit': {
      const rawInput = { path: tool.path, oldStr: tool.old, newStr: tool.new };
      return { title: `Editing ${tool.path}`, kind: 'edit', rawInput };
    }
    case 'native':
      return { title: tool.tool, kind: 'other', rawInput: tool.input };
    default:
      return tool satisfies never;
  }
}

function failureWords(failure: Failure): string {
  return failure.type === 'authentication' ? 'You are not logged in' : describeFailure(failure);
}

/** Reports a mistake in the script to the client as a protocol error, and in full on stderr. */
function explain(error: unknown, around: Surroundings): Json {
  const message = messageOf(error);
  around.write('stderr', error instanceof ScriptMistake ? `${message}\n` : `ralph-e2e: ${message}\n`);
  return { error: { code: -32603, message: `ralph-e2e: ${message.split('\n')[0]}` } };
}
