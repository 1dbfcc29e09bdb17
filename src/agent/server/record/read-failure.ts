import type { Failure } from '../../../domain/agent-script.js';
import { isMapping } from '../../../domain/common/json-lines.js';
import { asMapping } from '../../stand-in/json.js';
import { splitReply } from './read-reply.js';

/** What a real API answered. */
export interface RealAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Reads the failure of an answer: by its status, or by an error in the middle of a stream. Null if it has none. */
export function readFailure({ status, headers, text }: RealAnswer, streamed: boolean): Failure | null {
  // Streams have an error in one of their events, that of the Responses API one level deeper.
  const error = splitReply(text, streamed && status === 200)
    .flatMap(({ error, response }) => [error, asMapping(response).error])
    .find(isMapping);
  if (status !== 200) return toFailure(status, headers, error ?? {});
  return error === undefined ? null : toFailure(statusOfError(error), headers, error);
}

function toFailure(status: number, headers: Headers, error: Readonly<Record<string, unknown>>): Failure {
  const message = typeof error.message === 'string' ? { message: error.message } : {};
  if (error.code === 'insufficient_quota' || /credit balance is too low/.test(message.message ?? '')) {
    return { type: 'out-of-credits', ...message };
  }
  switch (status) {
    case 401:
      return { type: 'authentication', ...message };
    case 403:
      return { type: 'forbidden', ...message };
    case 404:
      return { type: 'not-found', ...message };
    case 413:
      return { type: 'too-large', ...message };
    case 429: {
      const seconds = Number(headers.get('retry-after') ?? Number.NaN);
      return {
        type: 'rate-limit',
        ...message,
        ...(Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}),
      };
    }
    case 529:
      return { type: 'overloaded', ...message };
    default:
      return { type: 'server-error', ...message, ...(status === 500 || status < 400 ? {} : { status }) };
  }
}

/** An error in a stream comes after the status 200: its type stands for the status. */
function statusOfError({ type, code }: Readonly<Record<string, unknown>>): number {
  if (typeof code === 'number') return code;
  return STATUSES[String(code)] ?? STATUSES[String(type)] ?? 500;
}

const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  overloaded_error: 529,
};
