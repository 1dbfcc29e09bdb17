/** A backend can print more than fits into a string. */
const LIMIT = 64 * 1024 * 1024;
/** Lines are joined into blocks: millions of small strings need far more memory than their text. */
const BLOCK = 64 * 1024;

/**
 * Keeps a backend's output, line by line. The real Ralph keeps everything; the stand-in drops the first lines beyond
 * the limit and keeps the end, where the promise is.
 */
export class KeptOutput {
  readonly #limit: number;
  readonly #block: number;
  #blocks: string[] = [];
  #lines: string[] = [];
  #blocksLength = 0;
  #linesLength = 0;
  #cut = false;

  constructor({ limit = LIMIT, block = BLOCK } = {}) {
    this.#limit = limit;
    this.#block = block;
  }

  /** Whether lines were dropped. */
  get cut(): boolean {
    return this.#cut;
  }

  add(line: string): void {
    this.#lines.push(line);
    this.#linesLength += line.length;
    if (this.#linesLength < this.#block) return;
    this.#blocks.push(this.#lines.join(''));
    this.#blocksLength += this.#linesLength;
    this.#lines = [];
    this.#linesLength = 0;
    // Keep the newest block, however long it is.
    while (this.#blocksLength > this.#limit && this.#blocks.length > 1) {
      this.#blocksLength -= this.#blocks.shift()?.length ?? 0;
      this.#cut = true;
    }
  }

  toString(): string {
    return [...this.#blocks, ...this.#lines].join('');
  }
}
