import type { Failure } from '../../domain/agent-script.js';

/** A failure on the wire. */
export type ServerFault =
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly message: string;
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

/** Translates a scripted failure to the wire. */
export function toFault(failure: Failure): ServerFault {
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
        'Number of requests has exceeded your rate limit.',
        retryAfterSeconds === undefined ? AT_ONCE : { 'retry-after': String(retryAfterSeconds) },
      );
    }
    case 'out-of-credits':
      return refuse(400, 'Your credit balance is too low to access the API.');
    case 'server-error':
      return refuse(500, failure.message ?? 'Internal server error', AT_ONCE);
    case 'overloaded':
      return refuse(529, 'Overloaded', AT_ONCE);
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
): ServerFault {
  return { kind: 'refuse', status, message, headers };
}
