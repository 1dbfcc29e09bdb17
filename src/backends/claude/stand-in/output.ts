import { makeId, randomUUID } from '../../../agent/engine/random-id.js';
import { toFault } from '../../../agent/server/faults.js';
import type { Write } from '../../../agent/stand-in/surroundings.js';
import type { Failure } from '../../../domain/agent-script.js';
import type { OutputFormat } from './arguments.js';

export type ClaudeEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Prints Claude Code's output: every event as a line, or only the result or its text. */
export class Output {
  readonly #write: Write;
  readonly #format: OutputFormat;
  readonly #session: string;
  #result: ClaudeEvent | null = null;

  constructor(write: Write, format: OutputFormat, session: string) {
    this.#write = write;
    this.#format = format;
    this.#session = session;
  }

  /** Emits an event of the session with a new id. */
  emit(event: ClaudeEvent): void {
    this.raw({ ...event, session_id: this.#session, uuid: randomUUID() });
  }

  /** Emits an event unchanged; answers to control requests belong to no session. */
  raw(event: ClaudeEvent): void {
    if (this.#format === 'stream-json') this.#write('stdout', `${JSON.stringify(event)}\n`);
    else if (event.type === 'result') this.#result = event;
  }

  /** Prints what is printed only at the end. */
  close(): void {
    if (this.#result === null) return;
    const { result } = this.#result;
    const text = typeof result === 'string' ? result : 'Execution error';
    this.#write('stdout', `${this.#format === 'json' ? JSON.stringify(this.#result) : text}\n`);
  }
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
  readonly model: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

/** Makes the event for one block. */
export function assistantEvent(answer: ModelAnswer, block: Block): ClaudeEvent {
  const message = { ...answer, type: 'message', role: 'assistant', content: [block], stop_reason: null };
  return { type: 'assistant', message, parent_tool_use_id: null };
}

/** Makes a message that the program sends to the model in the user's name. */
export function userEvent(content: unknown, more: Readonly<Record<string, unknown>> = {}): ClaudeEvent {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, ...more };
}

/** How Claude Code reports a failure of its service or connection. */
export interface ClaudeFailure {
  /** The HTTP status in the result; null if there was no answer. */
  readonly status: number | null;
  /** The error class on the synthetic assistant event. */
  readonly error: string;
  readonly text: string;
  /** The error class in its retry events; null if it does not retry. */
  readonly retriedAs: string | null;
}

/** The classes of the errors of the service, and how a retry names them. */
const CLASSES: Readonly<Partial<Record<Failure['type'], readonly [string, string?]>>> = {
  authentication: ['authentication_failed', 'authentication_failed'],
  forbidden: ['authentication_failed'],
  'not-found': ['model_not_found'],
  'too-large': ['invalid_request'],
  'rate-limit': ['rate_limit', 'rate_limit'],
  'out-of-credits': ['billing_error'],
  'server-error': ['server_error', 'server_error'],
  overloaded: ['server_error', 'overloaded'],
};

/** Describes a failure, with the message that our model server sends in the scripted lane. */
export function describeClaudeFailure(failure: Failure): ClaudeFailure {
  const fault = toFault(failure);
  const [error, retriedAs = null] = CLASSES[failure.type] ?? [];
  if (fault.kind === 'refuse' && error !== undefined) {
    const { status, message } = fault;
    return { status, error, text: `API Error: ${status} ${message}`, retriedAs };
  }
  const text = `API Error: Connection failed (${failure.type})`;
  return { status: null, error: 'server_error', text, retriedAs: 'unknown' };
}

/** The failure without credentials. */
export const NOT_LOGGED_IN: ClaudeFailure = {
  ...{ status: null, error: 'authentication_failed', retriedAs: null },
  text: 'Not logged in · Please run /login',
};

/** Makes the event for a failure of the service or connection: a message that comes from the program itself. */
export function failureEvent({ status, error, text }: ClaudeFailure): ClaudeEvent {
  const message = {
    ...{ id: makeId('msg_'), type: 'message', role: 'assistant', model: '<synthetic>' },
    content: [{ type: 'text', text }],
    stop_reason: 'stop_sequence',
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  const about = {
    error,
    is_api_error_message: true,
    ...(status === null ? {} : { api_error_status: status }),
  };
  return { type: 'assistant', message, parent_tool_use_id: null, ...about };
}
