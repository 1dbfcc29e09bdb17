import type { WireApi } from './apis/wire-api.js';
import type { ModelReply } from './model/reply.js';
import type { Message, ModelRequest } from './model/request.js';

/** A conversation up to an answer, as the service keeps it. */
interface Kept {
  readonly conversation: string;
  readonly messages: readonly Message[];
  /** About how much memory it takes. */
  readonly characters: number;
}

/** Limits, so that a server that runs for days does not keep growing. The oldest are dropped. */
const MOST = { conversations: 2000, characters: 64 * 1024 * 1024 };

/** The conversations that callers continue by the id of an answer, without sending them again. */
export class KeptConversations {
  readonly #kept = new Map<string, Kept>();
  readonly #most: typeof MOST;
  #characters = 0;

  constructor(most: typeof MOST = MOST) {
    this.#most = most;
  }

  /** Finds the conversation that a request continues; null if there is none. */
  find(id: string): Kept | null {
    return this.#kept.get(id) ?? null;
  }

  /** Keeps a conversation together with its latest answer. */
  keep(request: ModelRequest, conversation: string, reply: ModelReply, api: WireApi): void {
    const { parts } = reply;
    const answer: Message = {
      role: 'assistant',
      text: parts.flatMap((part) => (part.type === 'text' ? [part.pieces.join('')] : [])).join('\n'),
      calls: parts.flatMap((part) =>
        part.type === 'tool' ? [{ id: api.callId(part), name: part.name, input: part.input }] : [],
      ),
    };
    const messages = [...request.messages, answer];
    const characters = JSON.stringify(messages).length;
    this.#kept.set(api.replyId(reply), { conversation, messages, characters });
    this.#characters += characters;
    this.#dropOldest();
  }

  /** Stays within the limits, but always keeps the latest. */
  #dropOldest(): void {
    for (const [id, { characters }] of this.#kept) {
      const fits = this.#kept.size <= this.#most.conversations && this.#characters <= this.#most.characters;
      if (fits || this.#kept.size === 1) return;
      this.#kept.delete(id);
      this.#characters -= characters;
    }
  }
}
