import * as z from 'zod';
import { isMapping } from '../../../domain/common/json-lines.js';
import { type RecordedPart, readRecordedInput } from '../../recorded.js';
import { type ApiName, parseLoosely } from '../model/request.js';

/** A real model's answer. */
export interface RecordedReply {
  readonly parts: readonly RecordedPart[];
  readonly id: string | null;
  /** In the words of scripts: `max_tokens`, `refusal` and so on; null for the usual ends. */
  readonly stop: string | null;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
}

/** Reads an API's answer, streamed or not. Skips what it does not know. */
export function readReply(api: ApiName, body: string, streamed: boolean): RecordedReply {
  const documents = splitReply(body, streamed);
  const parts = READERS[api](documents).filter((part) => part.kind === 'used' || part.text !== '');
  return { parts, ...readEnd(documents) };
}

/** Splits an answer into its JSON documents: the events of a stream, or the answer itself. */
export function splitReply(body: string, streamed: boolean): readonly unknown[] {
  return streamed ? readEvents(body) : [parseLoosely(body)].flat();
}

function readEvents(body: string): unknown[] {
  return body
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [parseLoosely(line.slice(5).trim())] : []));
}

const READERS: Readonly<Record<ApiName, (documents: readonly unknown[]) => RecordedPart[]>> = {
  messages: readMessages,
  'chat-completions': readChat,
  responses: readResponses,
  gemini: readGemini,
};

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  name: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
});
const messagesDocument = z.looseObject({
  content: z.array(block).optional(),
  index: z.number().optional(),
  content_block: block.optional(),
  delta: z
    .looseObject({
      text: z.string().optional(),
      thinking: z.string().optional(),
      partial_json: z.string().optional(),
    })
    .optional(),
});

function readMessages(documents: readonly unknown[]): RecordedPart[] {
  const blocks: { type: string; name: string; text: string; json: string }[] = [];
  for (const document of documents) {
    const parsed = messagesDocument.safeParse(document);
    if (!parsed.success) continue;
    const { content = [], content_block, index = 0, delta } = parsed.data;
    for (const { type, text, thinking = '', name = '', input } of content) {
      blocks.push({ type, name, text: text ?? thinking, json: JSON.stringify(input ?? {}) });
    }
    if (content_block !== undefined) {
      const { type, text = '', name = '' } = content_block;
      blocks[index] = { type, name, text, json: '' };
    }
    const current = blocks[index];
    if (current !== undefined && delta !== undefined) {
      current.text += delta.text ?? delta.thinking ?? '';
      current.json += delta.partial_json ?? '';
    }
  }
  return blocks.flatMap(({ type, name, text, json }): RecordedPart[] => {
    if (type === 'text') return [{ kind: 'said', text }];
    if (type === 'thinking') return [{ kind: 'thought', text }];
    return type === 'tool_use' ? [{ kind: 'used', tool: name, input: readRecordedInput(json) }] : [];
  });
}

const chatPart = z.looseObject({
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z.number().optional(),
        function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }),
      }),
    )
    .nullish(),
});
const chatDocument = z.looseObject({
  choices: z.array(z.looseObject({ message: chatPart.optional(), delta: chatPart.optional() })),
});

function readChat(documents: readonly unknown[]): RecordedPart[] {
  let text = '';
  let thought = '';
  const calls: { name: string; json: string }[] = [];
  for (const document of documents) {
    const parsed = chatDocument.safeParse(document);
    const choice = parsed.success ? parsed.data.choices[0] : undefined;
    const part = choice?.message ?? choice?.delta;
    text += part?.content ?? '';
    thought += part?.reasoning_content ?? '';
    for (const [position, { index = position, function: call }] of (part?.tool_calls ?? []).entries()) {
      const known = calls[index] ?? { name: '', json: '' };
      calls[index] = { name: known.name + (call.name ?? ''), json: known.json + (call.arguments ?? '') };
    }
  }
  const tools = calls.map(
    ({ name, json }): RecordedPart => ({ kind: 'used', tool: name, input: readRecordedInput(json) }),
  );
  return [{ kind: 'thought', text: thought }, { kind: 'said', text }, ...tools];
}

const outputItem = z.looseObject({
  type: z.string(),
  content: z.array(z.looseObject({ text: z.string().optional() })).optional(),
  summary: z.array(z.looseObject({ text: z.string().optional() })).optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
});
const responsesDocument = z.looseObject({
  output: z.array(outputItem).optional(),
  type: z.string().optional(),
  item: outputItem.optional(),
});

function readResponses(documents: readonly unknown[]): RecordedPart[] {
  const items = documents.flatMap((document) => {
    const parsed = responsesDocument.safeParse(document);
    if (!parsed.success) return [];
    const { output = [], type, item } = parsed.data;
    return type === 'response.output_item.done' && item !== undefined ? [item] : output;
  });
  return items.flatMap(
    ({ type, content = [], summary = [], name = '', arguments: json = '' }): RecordedPart[] => {
      if (type === 'reasoning') {
        return [{ kind: 'thought', text: summary.map(({ text = '' }) => text).join('\n') }];
      }
      if (type === 'message') return [{ kind: 'said', text: content.map(({ text = '' }) => text).join('') }];
      return type === 'function_call' ? [{ kind: 'used', tool: name, input: readRecordedInput(json) }] : [];
    },
  );
}

const geminiPart = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z
    .looseObject({ name: z.string(), args: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});
const geminiDocument = z.looseObject({
  candidates: z.array(
    z.looseObject({ content: z.looseObject({ parts: z.array(geminiPart).optional() }).optional() }),
  ),
});

function readGemini(documents: readonly unknown[]): RecordedPart[] {
  const parts = documents.flatMap((document) => {
    const parsed = geminiDocument.safeParse(document);
    return parsed.success ? (parsed.data.candidates[0]?.content?.parts ?? []) : [];
  });
  const join = (thoughts: boolean) =>
    parts.map(({ thought = false, text = '' }) => (thought === thoughts ? text : '')).join('');
  const tools = parts.flatMap(({ functionCall: call }): RecordedPart[] =>
    call === undefined ? [] : [{ kind: 'used', tool: call.name, input: call.args ?? {} }],
  );
  return [{ kind: 'thought', text: join(true) }, { kind: 'said', text: join(false) }, ...tools];
}

/** Reads what an answer says about itself. In a stream, the last of each counts. */
function readEnd(documents: readonly unknown[]): Omit<RecordedReply, 'parts'> {
  const places = documents.flatMap(listPlaces);
  const last = (...keys: readonly string[]) =>
    places.flatMap((place) => keys.flatMap((key) => place[key] ?? [])).at(-1);
  const id = last('id', 'responseId');
  const stop = last('stop_reason', 'reason', 'finish_reason', 'finishReason');
  const inputTokens = last('input_tokens', 'prompt_tokens', 'promptTokenCount');
  const outputTokens = last('output_tokens', 'completion_tokens', 'candidatesTokenCount');
  const isCounted = typeof inputTokens === 'number' && typeof outputTokens === 'number';
  return {
    id: typeof id === 'string' ? id : null,
    stop: typeof stop === 'string' ? translateStop(stop) : null,
    usage: isCounted ? { inputTokens, outputTokens } : null,
  };
}

/** Lists where the APIs put these facts: in the answer, in an event of a stream, or one level deeper. */
function listPlaces(document: unknown): Readonly<Record<string, unknown>>[] {
  if (!isMapping(document)) return [];
  const { message, response, delta, usageMetadata, choices, candidates } = document;
  const answers = [document, message, response].filter(isMapping);
  const first = [choices, candidates].flatMap((list): unknown[] =>
    Array.isArray(list) ? list.slice(0, 1) : [],
  );
  return [
    ...answers.flatMap((answer) => [answer, answer.usage, answer.incomplete_details]),
    ...[delta, usageMetadata, ...first],
  ].filter(isMapping);
}

function translateStop(stop: string): string | null {
  return Object.hasOwn(STOPS, stop) ? (STOPS[stop] ?? null) : stop;
}

/** The words of the APIs in those of scripts; null for the usual ends. */
const STOPS: Readonly<Record<string, string | null>> = {
  end_turn: null,
  tool_use: null,
  stop: null,
  tool_calls: null,
  STOP: null,
  length: 'max_tokens',
  max_output_tokens: 'max_tokens',
  MAX_TOKENS: 'max_tokens',
  content_filter: 'refusal',
  SAFETY: 'refusal',
};
