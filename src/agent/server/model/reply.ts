/** One answer of the model, before an API gives it a form. */
export interface ModelReply {
  readonly parts: readonly ReplyPart[];
  /** `end` and `tools` are translated; anything else goes out as it is. */
  readonly stop: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

export type ReplyPart =
  /** A text in the pieces in which it is streamed. */
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | { readonly type: 'tool'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** Makes a reply; a token delay is only felt if the text comes in tokens. */
export function makeReply(
  texts: readonly string[],
  options: {
    readonly tool?: Extract<ReplyPart, { type: 'tool' }>;
    readonly stop?: string | undefined;
    readonly usage?: ModelReply['usage'] | undefined;
    readonly inTokens?: boolean;
  } = {},
): ModelReply {
  const { tool, inTokens = false } = options;
  const parts: ReplyPart[] = texts.map((text) => ({
    type: 'text',
    pieces: inTokens ? splitTokens(text) : [text],
  }));
  const characters = [...texts, JSON.stringify(tool?.input ?? '')].join('').length;
  return {
    parts: tool === undefined ? parts : [...parts, tool],
    stop: tool === undefined ? (options.stop ?? 'end') : 'tools',
    usage: options.usage ?? { inputTokens: 100, outputTokens: Math.ceil(characters / 4) },
  };
}

/**
 * Texts of a reply as one, for APIs whose messages have a single text. Each begins a line of its own, as what a
 * scripted agent says does everywhere.
 */
export function joinTexts(pieces: readonly (readonly string[])[]): string[] {
  return pieces.flatMap((text, index) => (index === 0 ? [...text] : ['\n', ...text]));
}

/** The parts of a reply with neighbouring texts put together: codex shows only its last message, gemini adds no lines. */
export function mergeTexts(parts: readonly ReplyPart[]): ReplyPart[] {
  const merged: ReplyPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.type !== 'text' || last?.type !== 'text') merged.push(part);
    else merged.splice(-1, 1, { type: 'text', pieces: joinTexts([last.pieces, part.pieces]) });
  }
  return merged;
}

function splitTokens(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? [text];
}
