import * as z from 'zod';
import { type Message, type ModelRequest, parseLoosely } from '../model/request.js';
import { openAiContentSchema, renderOpenAiError } from './openai.js';
import { renderResponse, responseCallId, responseId, streamResponse } from './responses-answer.js';
import { readParameters, type WireApi } from './wire-api.js';

/** OpenAI's Responses API. */
export const responses: WireApi = {
  name: 'responses',
  serves: (path) =>
    path.endsWith('/responses') ? 'answer' : path.endsWith('/responses/input_tokens') ? 'count' : null,
  parse,
  render: renderResponse,
  stream: streamResponse,
  streamType: 'text/event-stream',
  closingChunks: () => 2,
  garble: (raw) => `event: response.output_text.delta\ndata: ${raw}\n\n`,
  replyId: responseId,
  callId: responseCallId,
  renderCount: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  renderError: renderOpenAiError,
};

const toolSchema = z.looseObject({ name: z.string().optional(), parameters: z.unknown().optional() });
const itemSchema = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: openAiContentSchema,
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  input: z.string().optional(),
  output: openAiContentSchema,
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
  top_logprobs: z.literal(0, 'this server has no probabilities').nullish(),
  include: z
    .array(z.string().refine((what) => !what.endsWith('.logprobs'), 'this server has no probabilities'))
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
    session: null,
    cacheKey: request.prompt_cache_key ?? null,
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
