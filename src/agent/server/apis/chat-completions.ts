import * as z from 'zod';
import { makeId } from '../../engine/random-id.js';
import { readParameters } from '../model/offered-tools.js';
import { joinTexts, type ModelReply } from '../model/reply.js';
import { type Message, type ModelRequest, parseLoosely } from '../model/request.js';
import { renderOpenAiError } from './openai-error.js';
import type { WireApi } from './wire-api.js';

/** OpenAI's Chat Completions API, which most other services support too. */
export const chatCompletions: WireApi = {
  name: 'chat-completions',
  serves: (path) => (path.endsWith('/chat/completions') ? 'answer' : null),
  parse,
  render: (reply, { model }) => {
    const text = textsOf(reply).join('');
    const calls = callsOf(reply);
    const message = {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    return {
      ...makeHead(model, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finishReason(reply) }],
      usage: usageOf(reply),
    };
  },
  stream,
  streamType: 'text/event-stream',
  closingChunks: 2,
  renderCount: (tokens) => ({ tokens }),
  renderError: renderOpenAiError,
};

const contentSchema = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n'),
  );

const callSchema = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string().nullish() }),
});

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  max_tokens: z.number().nullish(),
  max_completion_tokens: z.number().nullish(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: contentSchema,
      tool_calls: z.array(callSchema).nullish(),
      tool_call_id: z.string().nullish(),
    }),
  ),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({ name: z.string(), parameters: z.unknown().optional() }).optional(),
      }),
    )
    .nullish(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ schema: z.unknown().optional() }).nullish(),
    })
    .nullish(),
});
type RawMessage = z.infer<typeof requestSchema>['messages'][number];

function parse(body: unknown): ModelRequest {
  const request = requestSchema.parse(body);
  const format = request.response_format;
  const isSystem = ({ role }: RawMessage) => role === 'system' || role === 'developer';
  return {
    api: 'chat-completions',
    model: request.model,
    stream: request.stream ?? false,
    system: request.messages
      .filter(isSystem)
      .map(({ content }) => content)
      .join('\n'),
    messages: request.messages.filter((message) => !isSystem(message)).map(readMessage),
    tools: (request.tools ?? []).flatMap(({ function: tool }) =>
      tool === undefined ? [] : [{ name: tool.name, parameters: readParameters(tool.parameters) }],
    ),
    json: format?.type.startsWith('json') ? (format.json_schema?.schema ?? true) : undefined,
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? null,
    session: null,
  };
}

/** This API marks errors only in the text of a tool result. */
function readMessage({ role, content, tool_calls, tool_call_id }: RawMessage): Message {
  if (role === 'tool') {
    return { role: 'tools', results: [{ id: tool_call_id ?? null, text: content, isError: false }] };
  }
  if (role !== 'assistant') return { role: 'user', text: content };
  const calls = (tool_calls ?? []).map(({ id, function: call }) => ({
    id: id ?? null,
    name: call.name,
    input: parseLoosely(call.arguments ?? '{}'),
  }));
  return { role: 'assistant', text: content, calls };
}

function* stream(reply: ModelReply, { model }: ModelRequest): Generator<string> {
  const head = makeHead(model, 'chat.completion.chunk');
  const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
  yield chunk({ role: 'assistant', content: '' }, null);
  for (const content of textsOf(reply)) yield chunk({ content }, null);
  for (const [index, call] of callsOf(reply).entries()) {
    yield chunk({ tool_calls: [{ index, ...call }] }, null);
  }
  yield chunk({}, finishReason(reply), { usage: usageOf(reply) });
  yield 'data: [DONE]\n\n';
}

function makeHead(model: string, object: string) {
  return { id: makeId('chatcmpl-'), object, created: Math.floor(Date.now() / 1000), model };
}

function textsOf({ parts }: ModelReply): string[] {
  return joinTexts(parts.flatMap((part) => (part.type === 'text' ? [part.pieces] : [])));
}

function callsOf({ parts }: ModelReply) {
  return parts.flatMap((part) =>
    part.type === 'text'
      ? []
      : [
          {
            id: makeId('call_'),
            type: 'function',
            function: { name: part.name, arguments: JSON.stringify(part.input) },
          },
        ],
  );
}

function usageOf({ usage: { inputTokens, outputTokens } }: ModelReply) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end: 'stop',
  tools: 'tool_calls',
  max_tokens: 'length',
  refusal: 'content_filter',
};

function finishReason({ stop }: ModelReply): string {
  return FINISH_REASONS[stop] ?? stop;
}
