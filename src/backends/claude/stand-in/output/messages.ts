import { makeId, randomUUID } from '../../../../agent/engine/random-id.js';
import type { ClaudeFailure } from '../failures.js';
import type { ClaudeEvent } from './output.js';

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
    diagnostics: null,
    id: randomUUID(),
    container: null,
    model: '<synthetic>',
    role: 'assistant',
    stop_details: null,
    stop_reason: stopReason,
    stop_sequence: stopReason === 'stop_sequence' ? '' : null,
    type: 'message',
    usage: {
      output_tokens_details: null,
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: null,
      cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
      inference_geo: null,
      iterations: null,
      speed: null,
      fallback_credit: null,
    },
    content: [{ type: 'text', text }],
    context_management: null,
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
