import { makeId, randomUUID } from '../../../agent/engine/random-id.js';
import type { Write } from '../../../agent/stand-in/surroundings.js';
import type { ClaudeFailure } from './failures.js';

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
    else if (result !== undefined) this.#write('stdout', `${JSON.stringify(result)}\n`);
  }
}

function textOf({ result, errors }: ClaudeEvent): string {
  if (typeof result === 'string') return result;
  const limit = /maximum number of turns (\(\d+\))/.exec(String(errors))?.[1];
  return limit === undefined ? 'Execution error' : `Error: Reached max turns ${limit}`;
}

/** One block of the assistant's message; each is a separate event. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

/** One answer of the model, which can have several blocks. */
export interface ModelAnswer {
  readonly id: string;
  readonly requestId: string;
  readonly model: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

/** Makes the event for one block. */
export function assistantEvent({ id, requestId, model, usage }: ModelAnswer, block: Block): ClaudeEvent {
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: null,
    stop_sequence: null,
    usage,
    context_management: null,
  };
  return { type: 'assistant', message, parent_tool_use_id: null, timestamp: now(), request_id: requestId };
}

/** Makes an assistant message that comes from the program itself. */
export function syntheticEvent(
  text: string,
  stopReason: string,
  more: Readonly<Record<string, unknown>>,
): ClaudeEvent {
  const message = {
    ...{ id: randomUUID(), type: 'message', role: 'assistant', model: '<synthetic>' },
    content: [{ type: 'text', text }],
    stop_reason: stopReason,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  return { type: 'assistant', message, parent_tool_use_id: null, timestamp: now(), ...more };
}

/** Makes the event for a failure of the service or connection. */
export function failureEvent(failure: ClaudeFailure): ClaudeEvent {
  const { status, error, type, text } = failure;
  return syntheticEvent(text, 'stop_sequence', {
    error,
    is_api_error_message: true,
    ...(status === null
      ? {}
      : { request_id: makeId('req_'), api_error_status: status, api_error_type: type }),
    ...(isLostConnection(failure) ? { api_error: 'connection_failed' } : {}),
  });
}

/** Makes the failure fields of the result. */
export function failureResult(failure: ClaudeFailure): Readonly<Record<string, unknown>> {
  return {
    api_error_status: failure.status,
    ...(failure.type === null ? {} : { api_error_type: failure.type }),
    ...(isLostConnection(failure) ? { api_error: 'connection_failed' } : {}),
  };
}

/** Makes a message that the program sends to the model in the user's name. */
export function userEvent(content: unknown, more: Readonly<Record<string, unknown>> = {}): ClaudeEvent {
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    timestamp: now(),
    ...more,
  };
}

function isLostConnection({ status, error }: ClaudeFailure): boolean {
  return status === null && error === 'server_error';
}

function now(): string {
  return new Date().toISOString();
}
