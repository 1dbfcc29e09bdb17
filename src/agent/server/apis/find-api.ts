import { messages } from './anthropic.js';
import { chatCompletions } from './chat-completions.js';
import { generateContent, generateContentArray } from './gemini.js';
import { responses } from './responses.js';
import type { WireApi } from './wire-api.js';

const APIS: readonly WireApi[] = [
  messages,
  chatCompletions,
  responses,
  generateContentArray,
  generateContent,
];

/** Finds the API that a URL belongs to, and what it asks for. */
export function findApi(url: URL): { readonly api: WireApi; readonly for: 'answer' | 'count' } | null {
  for (const api of APIS) {
    const purpose = api.serves(url.pathname, url.searchParams);
    if (purpose !== null) return { api, for: purpose };
  }
  return null;
}
