import * as z from 'zod';
import { isMapping } from '../../../domain/common/json-lines.js';
import { type ModelReply, mergeTexts, type ReplyPart, type ToolPart } from '../model/reply.js';
import type { Message, ModelRequest } from '../model/request.js';
import { type Refusal, readParameters, type WireApi } from './wire-api.js';

/** Google's generateContent API; the model and the method are part of the path. */
export const generateContent: WireApi = {
  name: 'gemini',
  serves: (path) => (METHOD.test(path) ? (path.endsWith(':countTokens') ? 'count' : 'answer') : null),
  parse,
  render: (reply, request) => renderChunk(reply, request, mergeTexts(reply.parts), true),
  *stream(reply, request) {
    for (const part of mergeTexts(reply.parts)) {
      const chunks: ReplyPart[] =
        part.type === 'text' ? part.pieces.map((piece) => ({ type: 'text', pieces: [piece] })) : [part];
      for (const chunk of chunks) yield sse(renderChunk(reply, request, [chunk], false));
    }
    yield sse(renderChunk(reply, request, [{ type: 'text', pieces: [''] }], true));
  },
  streamType: 'text/event-stream',
  closingChunks: () => 1,
  garble: (raw) => `data: ${raw}\r\n\r\n`,
  replyId: ({ id }) => id,
  callId,
  renderCount: (tokens) => ({ totalTokens: tokens }),
  renderError: renderGeminiError,
};

/** The same without `alt=sse`: a stream is then one JSON list of chunks, which we send all at once. */
export const generateContentArray: WireApi = {
  ...generateContent,
  serves: (path, query) =>
    path.endsWith(':streamGenerateContent') && METHOD.test(path) && query.get('alt') !== 'sse'
      ? 'answer'
      : null,
  parse: (body, url) => ({ ...parse(body, url), stream: false }),
  render: (reply, request) => [generateContent.render(reply, request)],
  renderError: (refusal) => [renderGeminiError(refusal)],
};

function callId({ id }: ToolPart): string {
  return `fc_${id}`;
}

const METHOD = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

const partSchema = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: z
    .looseObject({ id: z.string().optional(), name: z.string(), args: z.unknown().optional() })
    .optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), response: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});
type Part = z.infer<typeof partSchema>;
const contentSchema = z.looseObject({ role: z.string().optional(), parts: z.array(partSchema).default([]) });

const requestSchema = z.looseObject({
  contents: z.array(contentSchema),
  systemInstruction: contentSchema.nullish(),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string(),
              parameters: z.unknown().optional(),
              parametersJsonSchema: z.unknown().optional(),
            }),
          )
          .optional(),
      }),
    )
    .nullish(),
  generationConfig: z
    .looseObject({
      responseMimeType: z.string().optional(),
      responseSchema: z.unknown().optional(),
      responseJsonSchema: z.unknown().optional(),
      maxOutputTokens: z.number().optional(),
      candidateCount: z.literal(1, 'this server gives one candidate').optional(),
      responseLogprobs: z.literal(false, 'this server has no probabilities').optional(),
      responseModalities: z.array(z.string().refine(isText, 'this server answers only with text')).optional(),
      thinkingConfig: z.looseObject({ includeThoughts: z.boolean().optional() }).nullish(),
    })
    .nullish(),
});

/** countTokens can contain the request one level deeper. */
const wrappedSchema = z.looseObject({ generateContentRequest: requestSchema });

function isText(modality: string): boolean {
  return modality.toLowerCase() === 'text';
}

function parse(raw: unknown, url: URL): ModelRequest {
  const body = toCamelKeys(raw);
  const wrapped = wrappedSchema.safeParse(body);
  const request = wrapped.success ? wrapped.data.generateContentRequest : requestSchema.parse(body);
  const [, model = '', method = ''] = METHOD.exec(url.pathname) ?? [];
  const config = request.generationConfig;
  const declarations = (request.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
  return {
    api: 'gemini',
    model,
    stream: method === 'streamGenerateContent',
    system: textOf(request.systemInstruction?.parts ?? []),
    messages: request.contents.flatMap(({ role, parts }) => readContent(role, parts)),
    tools: declarations.map(({ name, parameters, parametersJsonSchema }) => ({
      name,
      parameters: readParameters(parametersJsonSchema ?? parameters),
    })),
    json:
      config?.responseMimeType === 'application/json'
        ? (config.responseJsonSchema ?? config.responseSchema ?? true)
        : undefined,
    maxTokens: config?.maxOutputTokens ?? null,
    session: null,
    continues: null,
    kept: false,
    parallel: true,
    wantsThoughts: config?.thinkingConfig?.includeThoughts === true,
    wantsUsage: true,
  };
}

function readContent(role: string | undefined, parts: readonly Part[]): Message[] {
  const text = textOf(parts);
  if (role === 'model') {
    const calls = parts.flatMap(({ functionCall: call }) =>
      call === undefined ? [] : [{ id: call.id ?? null, name: call.name, input: call.args }],
    );
    return [{ role: 'assistant', text, calls }];
  }
  const results = parts.flatMap(({ functionResponse: result }) =>
    result === undefined ? [] : [readResult(result.id ?? null, result.response ?? {})],
  );
  return [
    ...(results.length === 0 ? [] : [{ role: 'tools' as const, results }]),
    ...(text === '' ? [] : [{ role: 'user' as const, text }]),
  ];
}

function readResult(id: string | null, { output, error, ...rest }: Readonly<Record<string, unknown>>) {
  const value = error ?? output ?? rest;
  return {
    id,
    text: typeof value === 'string' ? value : JSON.stringify(value),
    isError: error !== undefined,
  };
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text, thought }) => (text === undefined || thought ? [] : [text])).join('\n');
}

function renderChunk(
  { id, usage, stop }: ModelReply,
  { model }: ModelRequest,
  parts: readonly ReplyPart[],
  isLast: boolean,
) {
  const candidate = {
    index: 0,
    content: { role: 'model', parts: parts.map(renderPart) },
    ...(isLast ? { finishReason: FINISH_REASONS[stop] ?? stop } : {}),
  };
  return {
    candidates: [candidate],
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
    modelVersion: model,
    responseId: id,
  };
}

function renderPart(part: ReplyPart): object {
  switch (part.type) {
    case 'text':
      return { text: part.pieces.join('') };
    case 'thought':
      return { text: part.text, thought: true };
    case 'tool':
      return { functionCall: { id: callId(part), name: part.name, args: part.input } };
    default:
      return part satisfies never;
  }
}

function sse(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`;
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end: 'STOP',
  tools: 'STOP',
  max_tokens: 'MAX_TOKENS',
  refusal: 'SAFETY',
  stop_sequence: 'STOP',
};

/** Values that belong to the caller: what is in them keeps its names. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...['args', 'response', 'labels'],
  ...['parameters', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema'],
]);

/** Writes the keys of a request in camel case: Google's services take both spellings, `candidateCount` and `candidate_count`. */
function toCamelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelKeys);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name, OPAQUE.has(name) ? item : toCamelKeys(item)];
    }),
  );
}

/** Renders an error the way Google's API does. */
export function renderGeminiError({ status, message }: Refusal): object {
  return { error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } };
}

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  529: 'UNAVAILABLE',
};
