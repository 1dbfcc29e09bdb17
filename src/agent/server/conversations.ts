import { createHash } from 'node:crypto';
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
const MOST_NAMES = 5000;

/** Tells which conversation a request belongs to: callers name it, continue an answer by its id, or send it all again. */
export class Conversations {
  readonly #kept = new Map<string, Kept>();
  readonly #generations = new Map<string, number>();
  readonly #most: typeof MOST;
  #characters = 0;

  constructor(most: typeof MOST = MOST) {
    this.#most = most;
  }

  /**
   * Identifies the conversation of a request. Two unnamed conversations with the same beginning are told apart by time:
   * one that starts again after its first prompt was answered (`isOver`) is new.
   */
  identify(request: ModelRequest, session: string | null, isOver: (conversation: string) => boolean): string {
    if (session !== null) return session;
    const base = nameBeginning(request);
    const generation = this.#generations.get(base) ?? 1;
    const current = `${base}.${generation}`;
    const isBeginning = !request.messages.some(({ role }) => role === 'assistant');
    if (!isBeginning || !isOver(current)) return current;
    remember(this.#generations, base, generation + 1, MOST_NAMES);
    return `${base}.${generation + 1}`;
  }

  /** Adds what is kept to a request that only continues an answer; null if that answer is not known. */
  complete(request: ModelRequest): ModelRequest | null {
    if (request.continues === null) return request;
    const kept = this.#kept.get(request.continues);
    if (kept === undefined) return null;
    return { ...request, session: kept.conversation, messages: [...kept.messages, ...request.messages] };
  }

  /** Keeps a conversation together with its latest answer, under the answer's id. */
  keep(id: string, conversation: string, messages: readonly Message[]): void {
    const characters = JSON.stringify(messages).length;
    this.#kept.set(id, { conversation, messages, characters });
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

/** Names a conversation after its beginning; conversations with the same beginning share the name. */
function nameBeginning({ system, messages }: ModelRequest): string {
  const first = messages.find(({ role }) => role === 'user');
  return hashTexts([system, first?.role === 'user' ? first.text : '']);
}

export function hashTexts(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 24);
}

/** Adds an entry, and drops the oldest if there are too many. */
export function remember<Value>(memory: Map<string, Value>, key: string, value: Value, most: number): void {
  memory.set(key, value);
  if (memory.size <= most) return;
  const [oldest] = memory.keys();
  if (oldest !== undefined) memory.delete(oldest);
}
