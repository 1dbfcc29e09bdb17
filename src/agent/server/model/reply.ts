import { makeId } from '../../engine/random-id.js';

/** One answer of the model, independent of the API. */
export interface ModelReply {
  /** Each API puts its own prefix before it. */
  readonly id: string;
  readonly parts: readonly ReplyPart[];
  /** `end` and `tools` are translated, and so are `max_tokens`, `refusal` and `stop_sequence`; anything else is sent as is. */
  readonly stop: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

export type ReplyPart =
  /** A text in the pieces in which it streams. */
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | { readonly type: 'thought'; readonly text: string }
  | ToolPart;

export interface ToolPart {
  readonly type: 'tool';
  /** Each API puts its own prefix before it. */
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Makes a reply. `inTokens` splits the text into tokens, which a token delay needs. */
export function makeReply(
  texts: readonly string[],
  options: {
    readonly thoughts?: readonly string[];
    readonly tools?: readonly Omit<ToolPart, 'type' | 'id'>[];
    readonly stop?: string | undefined;
    readonly usage?: ModelReply['usage'] | undefined;
    readonly inTokens?: boolean;
  } = {},
): ModelReply {
  const { thoughts = [], tools = [], inTokens = false } = options;
  const inputs = tools.length === 0 ? ['""'] : tools.map(({ input }) => JSON.stringify(input));
  const characters = [...thoughts, ...texts, ...inputs].join('').length;
  return {
    id: makeId(''),
    parts: [
      ...thoughts.map((text): ReplyPart => ({ type: 'thought', text })),
      ...texts.map((text): ReplyPart => ({ type: 'text', pieces: inTokens ? splitTokens(text) : [text] })),
      ...tools.map(({ name, input }): ReplyPart => ({ type: 'tool', id: makeId(''), name, input })),
    ],
    stop: tools.length === 0 ? (options.stop ?? 'end') : 'tools',
    usage: options.usage ?? { inputTokens: 100, outputTokens: Math.ceil(characters / 4) },
  };
}

/**
 * Joins the texts of a reply, for APIs whose messages have a single text. Each starts on a new line, as a scripted
 * agent's texts do everywhere.
 */
export function joinTexts(pieces: readonly (readonly string[])[]): string[] {
  return pieces.flatMap((text, index) => (index === 0 ? [...text] : ['\n', ...text]));
}

/** Joins adjacent texts of a reply: codex shows only its last message, and gemini adds no line breaks. */
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
