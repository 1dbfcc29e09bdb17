import { createHash } from 'node:crypto';
import type { ModelRequest } from './model/request.js';

/** A limit, so that a server that runs for days does not keep growing. The oldest are dropped. */
const MOST_NAMES = 5000;

/** Tells which conversation a request belongs to: callers name it, or send all of it again. */
export class Conversations {
  readonly #generations = new Map<string, number>();

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
