import type { WireApi } from './apis/wire-api.js';
import type { ModelReply } from './model/reply.js';
import type { Message, ModelRequest } from './model/request.js';

/** A conversation up to an answer, as the service keeps it. */
interface Kept {
  readonly conversation: string;
  readonly messages: readonly Message[];
}

/** A limit, so that a server that runs for days does not keep growing. */
const MOST = 2000;

/** The conversations that callers continue by the id of an answer, without sending them again. */
export class KeptConversations {
  readonly #kept = new Map<string, Kept>();

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
    this.#kept.set(api.replyId(reply), { conversation, messages: [...request.messages, answer] });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
  }
}
