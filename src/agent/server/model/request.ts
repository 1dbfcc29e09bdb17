import { parseJson } from '../../../domain/common/json-lines.js';
import type { OfferedTool } from '../../../domain/tool-recipe.js';

export type ApiName = 'messages' | 'chat-completions' | 'responses' | 'gemini';

/** A request for a model's answer, independent of the API. */
export interface ModelRequest {
  readonly api: ApiName;
  readonly model: string;
  readonly stream: boolean;
  /** Instructions that do not come from the user, wherever the API puts them. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  /** The schema (`true` for any) if the caller wants JSON instead of prose. */
  readonly json: unknown;
  readonly maxTokens: number | null;
  /** The session named in the body, or null. */
  readonly session: string | null;
  /** The key under which the service caches prompts; some CLIs put their session there. */
  readonly cacheKey?: string | null;
  /** The answer after which the conversation goes on, if the service keeps it; the messages are then only the new ones. */
  readonly continues: string | null;
  /** Whether the service keeps the conversation for a request that continues it. */
  readonly kept: boolean;
  /** Whether one answer may ask for several tools. */
  readonly parallel: boolean;
  /** Whether the caller wants to see what the model thinks. */
  readonly wantsThoughts: boolean;
  /** Whether the caller wants token counts at the end of a stream; most APIs always send them. */
  readonly wantsUsage: boolean;
}

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly RequestedCall[] }
  | { readonly role: 'tools'; readonly results: readonly ToolResult[] };

export interface RequestedCall {
  /** Null if the API has no ids: results then come in the order of the calls. */
  readonly id: string | null;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResult {
  readonly id: string | null;
  readonly text: string;
  readonly isError: boolean;
}

/** Parses JSON, or returns the text unchanged if it is not JSON. */
export function parseLoosely(text: string): unknown {
  // A tool's input that a model garbled is still worth showing.
  return parseJson(text) ?? text;
}
