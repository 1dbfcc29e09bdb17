import type { EventRecord } from '../../../domain/evidence/evidence.js';

/** More than any loop has, and few enough for a journal with hundreds of attempts. */
const MAX_EVENTS = 4000;
/** How many characters of topics and payloads are kept of the first half, and of the last. */
const MAX_TEXT = 1024 * 1024;

/** Keeps the first and the last events of a list that an agent can make as long as it likes. */
export class KeptEvents {
  #head: EventRecord[] = [];
  #tail: EventRecord[] = [];
  #headText = 0;
  #tailText = 0;
  /** How many events are left out, or not whole. */
  leftOut = 0;

  clear(): void {
    [this.#head, this.#tail, this.#headText, this.#tailText, this.leftOut] = [[], [], 0, 0, 0];
  }

  add(event: EventRecord): void {
    const kept = this.#shorten(event);
    const size = sizeOf(kept);
    if (this.#tail.length === 0 && this.#head.length < MAX_EVENTS / 2 && this.#headText + size <= MAX_TEXT) {
      this.#head.push(kept);
      this.#headText += size;
      return;
    }
    this.#tail.push(kept);
    this.#tailText += size;
    // Now and then instead of each time: removing the first of a long list is slow.
    if (this.#tail.length > 2 * MAX_EVENTS || this.#tailText > 2 * MAX_TEXT) this.#trim();
  }

  get all(): EventRecord[] {
    this.#trim();
    return [...this.#head, ...this.#tail];
  }

  #trim(): void {
    let from = 0;
    while (
      this.#tail.length - from > MAX_EVENTS / 2 ||
      (this.#tailText > MAX_TEXT && from < this.#tail.length)
    ) {
      const first = this.#tail[from];
      this.#tailText -= first === undefined ? 0 : sizeOf(first);
      from += 1;
    }
    this.leftOut += from;
    this.#tail = this.#tail.slice(from);
  }

  #shorten(event: EventRecord): EventRecord {
    if (sizeOf(event) <= MAX_TEXT / 2) return event;
    this.leftOut += 1;
    const cut = (text: string) => text.slice(0, MAX_TEXT / 8);
    return { ...event, topic: cut(event.topic), payload: event.payload === null ? null : cut(event.payload) };
  }
}

function sizeOf({ topic, payload }: EventRecord): number {
  return topic.length + (payload?.length ?? 0);
}
