import type { Failure } from '../../domain/agent-script.js';
import type { ApiName } from './model/request.js';

/** A failure on the wire. */
export type ServerFault =
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly message: string;
      /** What the status alone does not say. */
      readonly reason?: 'out-of-credits';
      readonly headers: Readonly<Record<string, string>>;
    }
  /** The connection breaks before an answer. */
  | { readonly kind: 'reset' }
  /** No answer; the connection breaks after the given time, if any. */
  | { readonly kind: 'silence'; readonly breakAfterMs: number | null }
  /** The answer stops in the middle. */
  | { readonly kind: 'cut'; readonly text: string }
  /** The answer continues with garbage. */
  | { readonly kind: 'garble'; readonly raw: string };

/** Translates a scripted failure to the wire. The services use different statuses for a few of them. */
export function toFault(failure: Failure, api: ApiName = 'messages'): ServerFault {
  switch (failure.type) {
    case 'authentication':
      return refuse(401, failure.message ?? 'invalid x-api-key');
    case 'forbidden':
      return refuse(403, failure.message ?? 'Your account does not have access to this resource.');
    case 'not-found':
      return refuse(404, failure.message ?? 'model not found');
    case 'too-large':
      return refuse(413, failure.message ?? 'Request exceeds the maximum size');
    case 'rate-limit': {
      const { retryAfterSeconds } = failure;
      return refuse(
        429,
        failure.message ?? 'Number of requests has exceeded your rate limit.',
        retryAfterSeconds === undefined ? AT_ONCE : { 'retry-after': String(retryAfterSeconds) },
      );
    }
    case 'out-of-credits': {
      const words =
        api === 'messages'
          ? 'Your credit balance is too low to access the API.'
          : 'You exceeded your current quota, please check your plan and billing details.';
      const status = api === 'messages' ? 400 : 429;
      return { ...refuse(status, failure.message ?? words, AT_ONCE), reason: 'out-of-credits' };
    }
    case 'server-error': {
      const { status = 500 } = failure;
      return refuse(status, failure.message ?? 'Internal server error', status < 500 ? {} : AT_ONCE);
    }
    case 'overloaded':
      return refuse(529, failure.message ?? 'Overloaded', AT_ONCE);
    case 'unreachable':
    case 'reset':
    case 'crash':
      return { kind: 'reset' };
    case 'timeout':
      return { kind: 'silence', breakAfterMs: failure.afterMs ?? null };
    case 'truncated':
      return { kind: 'cut', text: failure.text ?? '' };
    case 'malformed':
      return { kind: 'garble', raw: failure.raw ?? '{"type":"message","content":[{' };
    default:
      return failure satisfies never;
  }
}

/** Makes CLIs retry at once; otherwise OpenCode is silent for 67 seconds before it gives up. */
const AT_ONCE = { 'retry-after-ms': '10' };

function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Extract<ServerFault, { kind: 'refuse' }> {
  return { kind: 'refuse', status, message, headers };
}
