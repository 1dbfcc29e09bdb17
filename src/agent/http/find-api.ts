import { messages } from './anthropic.js';
import { chatCompletions } from './chat-completions.js';
import { gemini } from './gemini.js';
import { responses } from './responses.js';
import type { WireApi } from './wire-api.js';

const APIS: readonly WireApi[] = [messages, chatCompletions, responses, gemini];

/** The API that a path belongs to, and what it asks for. */
export function findApi(path: string): { readonly api: WireApi; readonly for: 'answer' | 'count' } | null {
  for (const api of APIS) {
    const purpose = api.serves(path);
    if (purpose !== null) return { api, for: purpose };
  }
  return null;
}
