import { appendFileSync } from 'node:fs';

/** Collects what the model receives between two answers, and writes it to the file that the harness asks for. */
export class Inbox {
  readonly #file: string | undefined;
  #texts: string[] = [];

  constructor(file: string | undefined) {
    this.#file = file;
  }

  put(...texts: readonly string[]): void {
    this.#texts.push(...texts.filter((text) => text !== ''));
  }

  /** Ends a request: the model answers now. */
  send(): void {
    const text = this.#texts.join('\n\n');
    this.#texts = [];
    if (this.#file === undefined) return;
    appendFileSync(this.#file, `${JSON.stringify({ at: new Date().toISOString(), text })}\n`);
  }
}
