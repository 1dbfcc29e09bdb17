import * as z from 'zod';
import { makeId } from '../../engine/random-id.js';
import type { ModelReply, ReplyPart, ToolPart } from '../model/reply.js';
import type { Message, ModelRequest, ToolResult } from '../model/request.js';
import { type Refusal, readParameters, type WireApi } from './wire-api.js';

/** Anthropic's Messages API. */
export const messages: WireApi = {
  name: 'messages',
  serves: (path) =>
    path.endsWith('/messages') ? 'answer' : path.endsWith('/messages/count_tokens') ? 'count' : null,
  parse,
  render: (reply, request) => ({
    ...renderHead(reply, request),
    content: reply.parts.map(renderPart),
    stop_reason: stopReason(reply),
  }),
  stream,
  streamType: 'text/event-stream',
  closingChunks: () => 2,
  garble: (raw) => `event: content_block_delta\ndata: ${raw}\n\n`,
  replyId,
  callId,
  renderCount: (tokens) => ({ input_tokens: tokens }),
  renderError: (refusal) => ({
    type: 'error',
    error: { type: errorType(refusal), message: refusal.message, ...detailsOf(refusal) },
    request_id: makeId('req_'),
  }),
};

function replyId({ id }: ModelReply): string {
  return `msg_${id}`;
}

function callId({ id }: ToolPart): string {
  return `toolu_${id}`;
}

function detailsOf({ reason }: Refusal): object {
  return reason === 'unknown-previous' ? { details: { error_code: 'thread_not_found' } } : {};
}

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
});
type Block = z.infer<typeof blockSchema>;
const contentSchema = z
  .union([z.string(), z.array(blockSchema)])
  .transform((content): Block[] =>
    typeof content === 'string'
      ? [{ type: 'text', text: content, input: undefined, content: undefined }]
      : content,
  );

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  max_tokens: z.number().nullish(),
  system: contentSchema.optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: z.unknown().optional() })).nullish(),
  tool_choice: z.looseObject({ disable_parallel_tool_use: z.boolean().nullish() }).nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  thread: z.looseObject({ type: z.string(), previous_message_id: z.string().nullish() }).nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
  output_format: z.looseObject({ schema: z.unknown().optional() }).nullish(),
  output_config: z
    .looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).nullish() })
    .nullish(),
});

function parse(body: unknown): ModelRequest {
  const request = requestSchema.parse(body);
  const format = request.output_config?.format ?? request.output_format;
  // Claude Code also adds a message with the role `system` at the end of the conversation.
  const system = request.messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => textOf(content));
  return {
    api: 'messages',
    model: request.model,
    stream: request.stream ?? false,
    system: [textOf(request.system ?? []), ...system].join('\n'),
    messages: request.messages.flatMap(({ role, content }) => readMessage(role, content)),
    tools: (request.tools ?? []).map(({ name, input_schema }) => ({
      name,
      parameters: readParameters(input_schema),
    })),
    json: format?.schema,
    maxTokens: request.max_tokens ?? null,
    session: /session_(?:id"?:"?)?([\w-]{8,})/.exec(request.metadata?.user_id ?? '')?.[1] ?? null,
    continues: request.thread?.previous_message_id ?? null,
    kept: (request.thread ?? null) !== null,
    parallel: request.tool_choice?.disable_parallel_tool_use !== true,
    wantsThoughts: (request.thinking?.type ?? 'disabled') !== 'disabled',
    wantsUsage: true,
  };
}

/** A user message can contain tool results and, next to them, texts that Claude Code adds. */
function readMessage(role: string, content: readonly Block[]): Message[] {
  if (role === 'system') return [];
  if (role === 'assistant') {
    const calls = content.filter(({ type }) => type === 'tool_use');
    return [
      {
        role: 'assistant',
        text: textOf(content),
        calls: calls.map(({ id, name = '', input }) => ({ id: id ?? null, name, input })),
      },
    ];
  }
  const results = content.filter(({ type }) => type === 'tool_result');
  const text = textOf(content);
  return [
    ...(results.length === 0 ? [] : [{ role: 'tools' as const, results: results.map(readResult) }]),
    ...(text === '' ? [] : [{ role: 'user' as const, text }]),
  ];
}

function readResult({ tool_use_id, content, is_error }: Block): ToolResult {
  const parsed = contentSchema.safeParse(content);
  return {
    id: tool_use_id ?? null,
    text: parsed.success ? textOf(parsed.data) : '',
    isError: is_error ?? false,
  };
}

function textOf(content: readonly Block[]): string {
  return content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])).join('\n');
}

function renderPart(part: ReplyPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.pieces.join('') };
    case 'thought':
      return { type: 'thinking', thinking: part.text, signature: SIGNATURE };
    case 'tool':
      return { type: 'tool_use', id: callId(part), name: part.name, input: part.input };
    default:
      return part satisfies never;
  }
}

/** Callers send it back with the thoughts; nobody here checks it. */
const SIGNATURE = 'c2NyaXB0ZWQ=';

function renderHead(reply: ModelReply, { model }: ModelRequest) {
  const { usage } = reply;
  return {
    id: replyId(reply),
    type: 'message',
    role: 'assistant',
    model,
    stop_sequence: null,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  };
}

function* stream(reply: ModelReply, request: ModelRequest): Generator<string> {
  yield event({
    type: 'message_start',
    message: { ...renderHead(reply, request), content: [], stop_reason: null },
  });
  for (const [index, part] of reply.parts.entries()) {
    const { block, deltas } = streamPart(part);
    yield event({ type: 'content_block_start', index, content_block: block });
    for (const delta of deltas) yield event({ type: 'content_block_delta', index, delta });
    yield event({ type: 'content_block_stop', index });
  }
  yield event({
    type: 'message_delta',
    delta: { stop_reason: stopReason(reply), stop_sequence: null },
    usage: { output_tokens: reply.usage.outputTokens },
  });
  yield event({ type: 'message_stop' });
}

function streamPart(part: ReplyPart): { readonly block: object; readonly deltas: readonly object[] } {
  switch (part.type) {
    case 'text':
      return {
        block: { type: 'text', text: '' },
        deltas: part.pieces.map((text) => ({ type: 'text_delta', text })),
      };
    case 'thought':
      return {
        block: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: part.text },
          { type: 'signature_delta', signature: SIGNATURE },
        ],
      };
    case 'tool':
      return {
        block: { type: 'tool_use', id: callId(part), name: part.name, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(part.input) }],
      };
    default:
      return part satisfies never;
  }
}

function event(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function stopReason({ stop }: ModelReply): string {
  return stop === 'end' ? 'end_turn' : stop === 'tools' ? 'tool_use' : stop;
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function errorType({ status }: Refusal): string {
  return ERROR_TYPES[status] ?? 'api_error';
}
