import * as z from 'zod';
import { joinTexts, type ModelReply, type ToolPart } from '../model/reply.js';
import { type Message, type ModelRequest, parseLoosely } from '../model/request.js';
import { openAiContentSchema, renderOpenAiError } from './openai.js';
import { readParameters, type WireApi } from './wire-api.js';

/** OpenAI's Chat Completions API, which most other services support too. */
export const chatCompletions: WireApi = {
  name: 'chat-completions',
  serves: (path) => (path.endsWith('/chat/completions') ? 'answer' : null),
  parse,
  render: (reply, { model }) => {
    const text = textsOf(reply).join('');
    const calls = callsOf(reply);
    const thoughts = thoughtsOf(reply);
    const message = {
      role: 'assistant',
      content: text === '' ? null : text,
      refusal: null,
      ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    return {
      ...makeHead(reply, model, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finishReason(reply) }],
      usage: usageOf(reply),
    };
  },
  stream,
  streamType: 'text/event-stream',
  closingChunks: ({ wantsUsage }) => (wantsUsage ? 3 : 2),
  garble: (raw) => `data: ${raw}\n\n`,
  replyId,
  callId,
  renderCount: (tokens) => ({ tokens }),
  renderError: renderOpenAiError,
};

function replyId({ id }: ModelReply): string {
  return `chatcmpl-${id}`;
}

function callId({ id }: ToolPart): string {
  return `call_${id}`;
}

const callSchema = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string().nullish() }),
});

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  n: z.literal(1, 'this server gives one choice').nullish(),
  logprobs: z.literal(false, 'this server has no probabilities').nullish(),
  modalities: z.array(z.literal('text', 'this server answers only with text')).nullish(),
  max_tokens: z.number().nullish(),
  max_completion_tokens: z.number().nullish(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: openAiContentSchema,
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
    continues: null,
    kept: false,
    parallel: request.parallel_tool_calls !== false,
    // OpenAI's own service has no field for thoughts; others send them unasked.
    wantsThoughts: true,
    wantsUsage: request.stream_options?.include_usage === true,
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

function* stream(reply: ModelReply, { model, wantsUsage }: ModelRequest): Generator<string> {
  const head = makeHead(reply, model, 'chat.completion.chunk');
  const send = (about: object) => `data: ${JSON.stringify({ ...head, ...about })}\n\n`;
  const chunk = (delta: object, finish_reason: string | null) =>
    send({ choices: [{ index: 0, delta, finish_reason }] });
  yield chunk({ role: 'assistant', content: '' }, null);
  const thoughts = thoughtsOf(reply);
  if (thoughts !== '') yield chunk({ reasoning_content: thoughts }, null);
  for (const content of textsOf(reply)) yield chunk({ content }, null);
  for (const [index, call] of callsOf(reply).entries()) {
    yield chunk({ tool_calls: [{ index, ...call }] }, null);
  }
  yield chunk({}, finishReason(reply));
  if (wantsUsage) yield send({ choices: [], usage: usageOf(reply) });
  yield 'data: [DONE]\n\n';
}

function makeHead(reply: ModelReply, model: string, object: string) {
  return { id: replyId(reply), object, created: Math.floor(Date.now() / 1000), model };
}

function textsOf({ parts }: ModelReply): string[] {
  return joinTexts(parts.flatMap((part) => (part.type === 'text' ? [part.pieces] : [])));
}

function thoughtsOf({ parts }: ModelReply): string {
  return parts.flatMap((part) => (part.type === 'thought' ? [part.text] : [])).join('\n');
}

function callsOf({ parts }: ModelReply) {
  return parts.flatMap((part) =>
    part.type === 'tool'
      ? [
          {
            id: callId(part),
            type: 'function',
            function: { name: part.name, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
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
  stop_sequence: 'stop',
};

function finishReason({ stop }: ModelReply): string {
  return FINISH_REASONS[stop] ?? stop;
}
