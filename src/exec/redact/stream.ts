import { isRunCharacter } from './characters.js';
import type { Scanner } from './scan.js';
import { REDACTED, scannerFor } from './scanner-for.js';

/** How much of a possible credential is held back until it ends. What is longer is decided without its end. */
const MAX_HELD = 64 * 1024;
/** How much of the text before is kept, to see whether a word begins. */
const CONTEXT = 64;
/** While this much is held back, it is looked at again only when it has grown by a quarter. */
const PATIENT_FROM = 8 * 1024;

/**
 * Redacts a stream of bytes: push chunks, write what `push` returns, and finally what `end` returns. It also finds a
 * credential that is split over chunks. Everything else passes unchanged, byte for byte.
 */
export class StreamRedactor {
  readonly #scanner: Scanner;
  /** The end of what was released, then what is held back. */
  #text = '';
  #from = 0;
  /** How much of it has arrived since the last scan. */
  #fresh = 0;
  #dropping = false;

  constructor(secrets: readonly string[]) {
    this.#scanner = scannerFor(secrets);
  }

  push(chunk: Buffer): Buffer {
    this.#take(chunk.toString('latin1'));
    const held = this.#text.length - this.#from;
    if (held > PATIENT_FROM && this.#fresh * 4 < held) return Buffer.alloc(0);
    return this.#release(false);
  }

  end(): Buffer {
    return this.#release(true);
  }

  #take(text: string): void {
    let end = 0;
    while (this.#dropping && end < text.length) {
      if (isRunCharacter(text.charCodeAt(end))) end += 1;
      else this.#dropping = false;
    }
    this.#text += text.slice(end);
    this.#fresh += text.length - end;
  }

  #release(last: boolean): Buffer {
    const text = this.#text;
    const { found, undecided } = this.#scanner.scan(text, this.#from, last);
    const isEndless = text.length - undecided > MAX_HELD;
    const cut = isEndless ? text.length : undecided;
    let out = '';
    let done = this.#from;
    for (const { start, end } of found) {
      if (start >= cut) break;
      out += text.slice(done, start) + REDACTED;
      done = end;
      if (isEndless && end === text.length) this.#dropping = true;
    }
    out += text.slice(done, cut);
    const kept = Math.max(0, cut - CONTEXT);
    this.#text = text.slice(kept);
    this.#from = cut - kept;
    this.#fresh = 0;
    return Buffer.from(out, 'latin1');
  }
}
