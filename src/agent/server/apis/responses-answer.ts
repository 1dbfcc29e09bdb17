import { makeId } from '../../engine/random-id.js';
import { type ModelReply, mergeTexts, type ToolPart } from '../model/reply.js';
import type { ModelRequest } from '../model/request.js';

/** The answers of OpenAI's Responses API. */

/** Renders an answer as one object. */
export function renderResponse(reply: ModelReply, request: ModelRequest): object {
  return { ...renderHead(reply, request), ...endOf(reply), output: outputOf(reply) };
}

/** The id of an answer on the wire. */
export function responseId({ id }: ModelReply): string {
  return `resp_${id}`;
}

/** The id of a tool call on the wire. */
export function responseCallId({ id }: ToolPart): string {
  return `call_${id}`;
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
          call_id: responseCallId(part),
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
    id: responseId(reply),
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

/** Renders an answer as the events of a stream. */
export function* streamResponse(reply: ModelReply, request: ModelRequest): Generator<string> {
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
