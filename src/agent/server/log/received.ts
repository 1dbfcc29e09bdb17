import type { Message, ModelRequest } from '../model/request.js';

/** In memory, so that a server that runs for days does not keep growing. */
const MAX_CONVERSATIONS = 1000;
/** A record keeps no more of a request; the file has the whole. */
const MAX_TEXT = 200_000;

/** Finds what a model receives for the first time: a request repeats the whole conversation before it. */
export class ReceivedTexts {
  readonly #known = new Map<string, ReadonlySet<string>>();

  /** Returns the texts of a request that the one before it did not have: instructions, prompts, results of tools. */
  take(conversation: string, { system, messages }: ModelRequest): string {
    const texts = [...system.split('\n\n'), ...messages.flatMap(textsOf)].filter(
      (text) => text.trim() !== '',
    );
    const known = this.#known.get(conversation) ?? new Set();
    this.#known.delete(conversation);
    this.#known.set(conversation, new Set(texts));
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_CONVERSATIONS && oldest !== undefined) this.#known.delete(oldest);
    return texts
      .filter((text) => !known.has(text))
      .join('\n\n')
      .slice(0, MAX_TEXT);
  }
}

function textsOf(message: Message): readonly string[] {
  switch (message.role) {
    case 'user':
      return [message.text];
    case 'tools':
      return message.results.map(({ text }) => text);
    case 'assistant':
      return [];
    default:
      return message satisfies never;
  }
}
