import { toFault } from '../../../agent/server/faults.js';
import type { Failure } from '../../../domain/agent-script.js';

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
