import { randomUUID } from '../../../../agent/engine/random-id.js';
import type { Write } from '../../../../agent/face/surroundings.js';

export type ClaudeEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Prints Claude Code's output: every event as a line, one object at the end, or only the text of the result. */
export class Output {
  readonly #write: Write;
  readonly #format: 'text' | 'json' | 'stream-json';
  readonly #verbose: boolean;
  readonly #events: ClaudeEvent[] = [];
  session: string;

  constructor(write: Write, format: 'text' | 'json' | 'stream-json', verbose: boolean, session: string) {
    this.#write = write;
    this.#format = format;
    this.#verbose = verbose;
    this.session = session;
  }

  /** Emits an event of the session with a new id, and returns the id. */
  emit(event: ClaudeEvent): string {
    const uuid = randomUUID();
    this.raw({ ...event, session_id: this.session, uuid });
    return uuid;
  }

  /** Emits an event unchanged; answers to control requests belong to no session. */
  raw(event: ClaudeEvent): void {
    if (this.#format === 'stream-json') this.#write('stdout', `${JSON.stringify(event)}\n`);
    else this.#events.push(event);
  }

  /** Prints what a format prints only at the end. */
  close(): void {
    if (this.#format === 'stream-json') return;
    const result = this.#events.findLast(({ type }) => type === 'result');
    if (this.#format === 'text') {
      if (result !== undefined) this.#write('stdout', `${textOf(result)}\n`);
    } else if (this.#verbose) this.#write('stdout', `${JSON.stringify(this.#events)}\n`);
    else if (result !== undefined) {
      // Only the stream can have several results, each with its own usage.
      const { model_usage_since_last_result: _, ...alone } = result;
      this.#write('stdout', `${JSON.stringify(alone)}\n`);
    }
  }
}

function textOf({ result, errors }: ClaudeEvent): string {
  if (typeof result === 'string') return result;
  const limit = /maximum number of turns (\(\d+\))/.exec(String(errors))?.[1];
  return limit === undefined ? 'Execution error' : `Error: Reached max turns ${limit}`;
}
