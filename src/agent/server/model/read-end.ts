import * as z from 'zod';

/** What an answer says about itself. */
export interface HeardEnd {
  readonly id: string | null;
  /** In the words of scripts: `max_tokens`, `refusal` and so on; null for the usual ends. */
  readonly stop: string | null;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
}

const tokens = z.number().nullish();
const usageSchema = z.looseObject({
  input_tokens: tokens,
  output_tokens: tokens,
  prompt_tokens: tokens,
  completion_tokens: tokens,
  promptTokenCount: tokens,
  candidatesTokenCount: tokens,
});
const body = {
  id: z.string().nullish(),
  responseId: z.string().nullish(),
  stop_reason: z.string().nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  usage: usageSchema.nullish(),
};
/** Streams have the same in their events, some one level deeper. */
const documentSchema = z.looseObject({
  ...body,
  message: z.looseObject(body).optional(),
  response: z.looseObject(body).optional(),
  delta: z.looseObject({ stop_reason: z.string().nullish() }).optional(),
  usageMetadata: usageSchema.nullish(),
  choices: z.array(z.looseObject({ finish_reason: z.string().nullish() })).optional(),
  candidates: z.array(z.looseObject({ finishReason: z.string().nullish() })).optional(),
});

/** Reads the id, the stop reason and the usage of an answer. In a stream, the last of each counts. */
export function readEnd(documents: readonly unknown[]): HeardEnd {
  let id: string | null = null;
  let stop: string | null = null;
  let input: number | null = null;
  let output: number | null = null;
  for (const document of documents) {
    const { success, data } = documentSchema.safeParse(document);
    if (!success) continue;
    for (const part of [data, data.message, data.response]) {
      if (part === undefined) continue;
      id = part.id ?? part.responseId ?? id;
      stop = part.stop_reason ?? part.incomplete_details?.reason ?? stop;
      input = part.usage?.input_tokens ?? part.usage?.prompt_tokens ?? input;
      output = part.usage?.output_tokens ?? part.usage?.completion_tokens ?? output;
    }
    input = data.usageMetadata?.promptTokenCount ?? input;
    output = data.usageMetadata?.candidatesTokenCount ?? output;
    stop =
      data.delta?.stop_reason ??
      data.choices?.[0]?.finish_reason ??
      data.candidates?.[0]?.finishReason ??
      stop;
  }
  return {
    id,
    stop: stop === null || !Object.hasOwn(STOPS, stop) ? stop : (STOPS[stop] ?? null),
    usage: input === null || output === null ? null : { inputTokens: input, outputTokens: output },
  };
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
