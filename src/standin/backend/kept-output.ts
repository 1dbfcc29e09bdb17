/** A backend may print more than a string can hold. */
const LIMIT = 64 * 1024 * 1024;
/** Lines are put together in blocks: millions of small strings need far more room than their text. */
const BLOCK = 64 * 1024;

/**
 * What a backend printed, line by line. The real one keeps everything; here the first lines go once the limit is
 * passed, and the end, where the promise stands, remains.
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

  /** Whether lines were given up. */
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
    // The newest block stays, however long its line.
    while (this.#blocksLength > this.#limit && this.#blocks.length > 1) {
      this.#blocksLength -= this.#blocks.shift()?.length ?? 0;
      this.#cut = true;
    }
  }

  toString(): string {
    return [...this.#blocks, ...this.#lines].join('');
  }
}
