import * as z from 'zod';
import { makeId } from '../../engine/random-id.js';
import { readParameters } from '../model/offered-tools.js';
import { type ModelReply, mergeTexts, type ToolPart } from '../model/reply.js';
import { type Message, type ModelRequest, parseLoosely } from '../model/request.js';
import { renderOpenAiError } from './openai-error.js';
import type { WireApi } from './wire-api.js';

/** OpenAI's Responses API. */
export const responses: WireApi = {
  name: 'responses',
  serves: (path) =>
    path.endsWith('/responses') ? 'answer' : path.endsWith('/responses/input_tokens') ? 'count' : null,
  parse,
  render: (reply, request) => ({
    ...renderHead(reply, request),
    ...endOf(reply),
    output: outputOf(reply),
  }),
  stream,
  streamType: 'text/event-stream',
  closingChunks: () => 2,
  garble: (raw) => `event: response.output_text.delta\ndata: ${raw}\n\n`,
  replyId,
  callId,
  renderCount: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  renderError: renderOpenAiError,
};

function replyId({ id }: ModelReply): string {
  return `resp_${id}`;
}

function callId({ id }: ToolPart): string {
  return `call_${id}`;
}

const contentSchema = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n'),
  );

const toolSchema = z.looseObject({ name: z.string().optional(), parameters: z.unknown().optional() });
const itemSchema = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: contentSchema,
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  input: z.string().optional(),
  output: contentSchema,
  // codex passes its tools as an item of the conversation if it knows the model.
  tools: z.array(toolSchema).optional(),
});
type Item = z.infer<typeof itemSchema>;

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().nullish(),
  instructions: z.string().nullish(),
  max_output_tokens: z.number().nullish(),
  input: z.union([z.string(), z.array(itemSchema)]),
  tools: z.array(toolSchema).nullish(),
  prompt_cache_key: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  store: z.boolean().nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z
    .looseObject({ summary: z.string().nullish(), generate_summary: z.string().nullish() })
    .nullish(),
  background: z.literal(false, 'this server answers at once').nullish(),
  conversation: z.null('this server keeps no conversations: use previous_response_id').optional(),
  text: z
    .looseObject({ format: z.looseObject({ type: z.string(), schema: z.unknown().optional() }).nullish() })
    .nullish(),
});

function parse(body: unknown): ModelRequest {
  const request = requestSchema.parse(body);
  const items: readonly Item[] =
    typeof request.input === 'string'
      ? [{ type: 'message', role: 'user', content: request.input, output: '' }]
      : request.input;
  const system = items.filter(isSystem).map(({ content }) => content);
  const format = request.text?.format;
  const tools = [...(request.tools ?? []), ...items.flatMap((item) => item.tools ?? [])];
  return {
    api: 'responses',
    model: request.model,
    stream: request.stream ?? false,
    system: [request.instructions ?? '', ...system].join('\n'),
    messages: items.filter((item) => !isSystem(item)).flatMap(readItem),
    tools: tools.flatMap(({ name, parameters }) =>
      name === undefined ? [] : [{ name, parameters: readParameters(parameters) }],
    ),
    json: format?.type.startsWith('json') ? (format.schema ?? true) : undefined,
    maxTokens: request.max_output_tokens ?? null,
    session: request.prompt_cache_key ?? null,
    continues: request.previous_response_id ?? null,
    kept: request.store !== false,
    parallel: request.parallel_tool_calls !== false,
    wantsThoughts: (request.reasoning?.summary ?? request.reasoning?.generate_summary ?? null) !== null,
    wantsUsage: true,
  };
}

function isSystem({ role }: Item): boolean {
  return role === 'system' || role === 'developer';
}

function readItem({ type = 'message', role, content, call_id, name = '', ...item }: Item): Message[] {
  const id = call_id ?? null;
  switch (type) {
    case 'message':
      return [role === 'assistant' ? { role, text: content, calls: [] } : { role: 'user', text: content }];
    case 'function_call':
    case 'custom_tool_call':
      return [
        {
          role: 'assistant',
          text: '',
          calls: [{ id, name, input: parseLoosely(item.arguments ?? item.input ?? '{}') }],
        },
      ];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tools', results: [{ id, text: item.output, isError: false }] }];
    default:
      // Reasoning and similar items, which no script tests.
      return [];
  }
}

type OutputItem = ReturnType<typeof outputOf>[number];

function outputOf({ parts }: ModelReply) {
  return mergeTexts(parts).map((part) => {
    switch (part.type) {
      case 'text':
        return {
          type: 'message' as const,
          id: makeId('msg_'),
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: part.pieces.join(''), annotations: [] }],
        };
      case 'thought':
        return {
          type: 'reasoning' as const,
          id: makeId('rs_'),
          summary: [{ type: 'summary_text', text: part.text }],
        };
      case 'tool':
        return {
          type: 'function_call' as const,
          id: makeId('fc_'),
          call_id: callId(part),
          name: part.name,
          arguments: JSON.stringify(part.input),
          status: 'completed',
        };
      default:
        return part satisfies never;
    }
  });
}

/** Why an answer is incomplete, by its stop reason. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  refusal: 'content_filter',
};

function endOf({ stop }: ModelReply) {
  const reason = INCOMPLETE[stop];
  return reason === undefined
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } };
}

function renderHead(reply: ModelReply, { model, continues, tools, parallel }: ModelRequest) {
  const { inputTokens, outputTokens } = reply.usage;
  return {
    id: replyId(reply),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model,
    error: null,
    incomplete_details: null,
    previous_response_id: continues,
    parallel_tool_calls: parallel,
    tool_choice: 'auto',
    tools: tools.map(({ name }) => ({ type: 'function', name, parameters: {}, strict: false })),
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  };
}

function* stream(reply: ModelReply, request: ModelRequest): Generator<string> {
  let sequence_number = 0;
  const event = (type: string, data: object): string => {
    sequence_number += 1;
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`;
  };
  const head = renderHead(reply, request);
  const begun = { ...head, status: 'in_progress', output: [], usage: null };
  yield event('response.created', { response: begun });
  yield event('response.in_progress', { response: begun });
  const output = outputOf(reply);
  const parts = mergeTexts(reply.parts);
  for (const [output_index, item] of output.entries()) {
    const part = parts[output_index];
    yield* streamItem(item, output_index, part?.type === 'text' ? part.pieces : [], event);
  }
  const end = endOf(reply);
  yield event(`response.${end.status}`, { response: { ...head, ...end, output } });
}

function* streamItem(
  item: OutputItem,
  output_index: number,
  pieces: readonly string[],
  event: (type: string, data: object) => string,
): Generator<string> {
  const at = { item_id: item.id, output_index };
  if (item.type === 'function_call') {
    yield event('response.output_item.added', {
      output_index,
      item: { ...item, arguments: '', status: 'in_progress' },
    });
    yield event('response.function_call_arguments.delta', { ...at, delta: item.arguments });
    yield event('response.function_call_arguments.done', {
      ...at,
      name: item.name,
      arguments: item.arguments,
    });
  } else if (item.type === 'reasoning') {
    const [part] = item.summary;
    const inPart = { ...at, summary_index: 0 };
    yield event('response.output_item.added', { output_index, item: { ...item, summary: [] } });
    yield event('response.reasoning_summary_part.added', { ...inPart, part: { ...part, text: '' } });
    yield event('response.reasoning_summary_text.delta', { ...inPart, delta: part?.text });
    yield event('response.reasoning_summary_text.done', { ...inPart, text: part?.text });
    yield event('response.reasoning_summary_part.done', { ...inPart, part });
  } else {
    const [part] = item.content;
    const inPart = { ...at, content_index: 0 };
    yield event('response.output_item.added', {
      output_index,
      item: { ...item, content: [], status: 'in_progress' },
    });
    yield event('response.content_part.added', { ...inPart, part: { ...part, text: '' } });
    for (const delta of pieces) yield event('response.output_text.delta', { ...inPart, delta });
    yield event('response.output_text.done', { ...inPart, text: part?.text });
    yield event('response.content_part.done', { ...inPart, part });
  }
  yield event('response.output_item.done', { output_index, item });
}
