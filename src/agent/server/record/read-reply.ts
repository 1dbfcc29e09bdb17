import { type RecordedPart, readRecordedInput } from '../../recorded.js';
import { asMapping } from '../../stand-in/json.js';
import { type ApiName, parseLoosely } from '../model/request.js';

/** A real model's answer. */
export interface RecordedReply {
  readonly parts: readonly RecordedPart[];
  readonly id: string | null;
  /** In the words of scripts: `max_tokens`, `refusal` and so on; null for the usual ends. */
  readonly stop: string | null;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
}

/** A part of what a service answered. It is not checked: what has another form is skipped. */
type Json = Readonly<Record<string, unknown>>;

/** Reads an API's answer, streamed or not. Skips what it does not know. */
export function readReply(api: ApiName, body: string, streamed: boolean): RecordedReply {
  const documents = splitReply(body, streamed);
  const parts = READERS[api](documents).filter((part) => part.kind === 'used' || part.text !== '');
  return { parts, ...readEnd(documents) };
}

/** Splits an answer into its JSON documents: the events of a stream, or the answer itself. */
export function splitReply(body: string, streamed: boolean): readonly Json[] {
  const documents = streamed
    ? body.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [parseLoosely(line.slice(5))] : []))
    : [parseLoosely(body)].flat();
  return documents.map(asMapping);
}

const READERS: Readonly<Record<ApiName, (documents: readonly Json[]) => RecordedPart[]>> = {
  messages: readMessages,
  'chat-completions': readChat,
  responses: readResponses,
  gemini: readGemini,
};

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(asMapping) : [];
}

function textIn(place: Json, ...keys: readonly string[]): string {
  const texts = keys.map((key) => place[key]);
  return texts.find((text) => typeof text === 'string') ?? '';
}

/** A block of the Messages API comes whole, or begins with an event and grows with others. */
function readMessages(documents: readonly Json[]): RecordedPart[] {
  const blocks: { type: string; name: string; text: string; json: string }[] = [];
  const begin = (block: Json, json: string) => ({
    type: textIn(block, 'type'),
    name: textIn(block, 'name'),
    text: textIn(block, 'text', 'thinking'),
    json,
  });
  for (const { content, index, content_block, delta } of documents) {
    blocks.push(...listOf(content).map((block) => begin(block, JSON.stringify(block.input ?? {}))));
    const at = typeof index === 'number' ? index : 0;
    if (content_block !== undefined) blocks[at] = begin(asMapping(content_block), '');
    const current = blocks[at];
    if (current === undefined) continue;
    current.text += textIn(asMapping(delta), 'text', 'thinking');
    current.json += textIn(asMapping(delta), 'partial_json');
  }
  return blocks.flatMap(({ type, name, text, json }): RecordedPart[] => {
    if (type === 'text') return [{ kind: 'said', text }];
    if (type === 'thinking') return [{ kind: 'thought', text }];
    return type === 'tool_use' ? [useOf(name, json)] : [];
  });
}

function useOf(tool: string, json: string): RecordedPart {
  return { kind: 'used', tool, input: readRecordedInput(json) };
}

function readChat(documents: readonly Json[]): RecordedPart[] {
  let text = '';
  let thought = '';
  const calls: { name: string; json: string }[] = [];
  for (const { choices } of documents) {
    const { message, delta } = listOf(choices)[0] ?? {};
    const part = asMapping(message ?? delta);
    text += textIn(part, 'content');
    thought += textIn(part, 'reasoning_content');
    for (const [position, { index, function: call }] of listOf(part.tool_calls).entries()) {
      const at = typeof index === 'number' ? index : position;
      const known = calls[at] ?? { name: '', json: '' };
      const more = asMapping(call);
      calls[at] = { name: known.name + textIn(more, 'name'), json: known.json + textIn(more, 'arguments') };
    }
  }
  const tools = calls.map(({ name, json }) => useOf(name, json));
  return [{ kind: 'thought', text: thought }, { kind: 'said', text }, ...tools];
}

function readResponses(documents: readonly Json[]): RecordedPart[] {
  const items = documents.flatMap(({ output, type, item }) =>
    type === 'response.output_item.done' ? [asMapping(item)] : listOf(output),
  );
  const join = (parts: unknown, between: string) =>
    listOf(parts)
      .map((part) => textIn(part, 'text'))
      .join(between);
  return items.flatMap((item): RecordedPart[] => {
    switch (item.type) {
      case 'reasoning':
        return [{ kind: 'thought', text: join(item.summary, '\n') }];
      case 'message':
        return [{ kind: 'said', text: join(item.content, '') }];
      case 'function_call':
        return [useOf(textIn(item, 'name'), textIn(item, 'arguments'))];
      default:
        return [];
    }
  });
}

function readGemini(documents: readonly Json[]): RecordedPart[] {
  const parts = documents.flatMap(({ candidates }) =>
    listOf(asMapping(listOf(candidates)[0]?.content).parts),
  );
  const join = (thoughts: boolean) =>
    parts.map((part) => ((part.thought === true) === thoughts ? textIn(part, 'text') : '')).join('');
  const tools = parts.flatMap(({ functionCall: call }): RecordedPart[] =>
    call === undefined
      ? []
      : [{ kind: 'used', tool: textIn(asMapping(call), 'name'), input: asMapping(asMapping(call).args) }],
  );
  return [{ kind: 'thought', text: join(true) }, { kind: 'said', text: join(false) }, ...tools];
}

/** Reads what an answer says about itself. In a stream, the last of each counts. */
function readEnd(documents: readonly Json[]): Omit<RecordedReply, 'parts'> {
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
    stop: typeof stop !== 'string' ? null : Object.hasOwn(STOPS, stop) ? (STOPS[stop] ?? null) : stop,
    usage: isCounted ? { inputTokens, outputTokens } : null,
  };
}

/** Lists where the APIs put these facts: in the answer, in an event of a stream, or one level deeper. */
function listPlaces(document: Json): readonly Json[] {
  const { message, response, delta, usageMetadata, choices, candidates } = document;
  const answers = [document, asMapping(message), asMapping(response)];
  return [
    ...answers.flatMap((answer) => [answer, answer.usage, answer.incomplete_details]),
    ...[delta, usageMetadata, listOf(choices)[0], listOf(candidates)[0]],
  ].map(asMapping);
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
