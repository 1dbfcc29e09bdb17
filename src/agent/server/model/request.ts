import type { OfferedTool } from '../../../domain/tool-recipe.js';

export type ApiName = 'messages' | 'chat-completions' | 'responses' | 'gemini';

/** A request for a model's answer, whichever API it came by. */
export interface ModelRequest {
  readonly api: ApiName;
  readonly model: string;
  readonly stream: boolean;
  /** Instructions that do not come from the user, wherever the API puts them. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  /** The schema (or `true` for any) when the caller wants JSON instead of prose. */
  readonly json: unknown;
  readonly maxTokens: number | null;
  /** The session that the body names, if it does. */
  readonly session: string | null;
}

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly RequestedCall[] }
  | { readonly role: 'tools'; readonly results: readonly ToolResult[] };

export interface RequestedCall {
  /** Null where the API has no ids: results then come in the order of the calls. */
  readonly id: string | null;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResult {
  readonly id: string | null;
  readonly text: string;
  readonly isError: boolean;
}

/** A text as JSON, or the text itself where it is none. */
export function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The input of a tool that some model garbled is still worth showing.
    return text;
  }
}
