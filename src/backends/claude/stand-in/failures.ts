import { toFault } from '../../../agent/server/faults.js';
import type { Failure } from '../../../domain/agent-script.js';

/** How Claude Code reports a failure of its service or connection. */
export interface ClaudeFailure {
  /** The HTTP status in the result; null if there was no answer. */
  readonly status: number | null;
  /** The error class on the synthetic assistant event. */
  readonly error: string;
  /** The error type from the service, if any. */
  readonly type: string | null;
  readonly text: string;
  readonly terminal: string;
  /** The error class in its retry events; null if it does not retry. */
  readonly retriedAs: string | null;
}

/** Describes a failure in the real program's words, including the gateway it uses. */
export function describeClaudeFailure(
  failure: Failure,
  model: string,
  gateway: string | undefined,
): ClaudeFailure {
  const host = gateway === undefined ? null : gateway.replace(/^\w+:\/\//, '').replace(/\/.*$/, '');
  const check = host === null ? 'check https://status.claude.com' : `check your inference gateway (${host})`;
  const serverSide = `This is a server-side issue, usually temporary — try again in a moment. If it persists, ${check}.`;
  // The service's message is the one our model server sends.
  const fault = toFault(failure);
  const said = fault.kind === 'refuse' ? fault.message : '';
  switch (failure.type) {
    case 'authentication':
      return http(
        401,
        'authentication_failed',
        'authentication_error',
        'Invalid API key · Fix external API key',
        {
          retriedAs: 'authentication_failed',
        },
      );
    case 'forbidden': {
      const text = `Failed to authenticate. API Error: 403 ${said}`;
      return http(403, 'authentication_failed', 'permission_error', text);
    }
    case 'not-found': {
      const text = `There's an issue with the selected model (${model}). It may not exist or you may not have access to it. Run --model to pick a different model.`;
      return http(404, 'model_not_found', 'not_found_error', text);
    }
    case 'too-large': {
      const text =
        'Request too large (max 32MB). Accumulated images and attachments in the conversation pushed the request over the limit. Remove older images or compact the conversation.';
      return http(413, 'invalid_request', 'request_too_large', text, { terminal: 'image_error' });
    }
    case 'rate-limit': {
      const text = `API Error: Request rejected (429) · ${said}`;
      return http(429, 'rate_limit', 'rate_limit_error', text, { retriedAs: 'rate_limit' });
    }
    case 'out-of-credits':
      return http(400, 'billing_error', 'invalid_request_error', 'Credit balance is too low');
    case 'server-error': {
      const text = `API Error: 500 ${said}. ${serverSide}`;
      return http(500, 'server_error', 'api_error', text, { retriedAs: 'server_error' });
    }
    case 'overloaded': {
      const text = `API Error: 529 Overloaded. ${serverSide}`;
      return http(529, 'server_error', 'overloaded_error', text, { retriedAs: 'overloaded' });
    }
    case 'unreachable':
      return wire('API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)');
    case 'reset':
      return wire(
        'API Error: Connection dropped (ECONNRESET). Check the gateway set in ANTHROPIC_BASE_URL, then try again.',
      );
    case 'timeout':
      return wire('API Error: Request timed out. Check your internet connection and proxy settings');
    case 'truncated':
    case 'malformed':
      return wire('API Error: The answer of the service broke off');
    case 'crash':
      return wire('The program ended unexpectedly');
    default:
      return failure satisfies never;
  }
}

/** The failure without credentials. */
export const NOT_LOGGED_IN: ClaudeFailure = {
  status: null,
  error: 'authentication_failed',
  type: null,
  text: 'Not logged in · Please run /login',
  terminal: 'api_error',
  retriedAs: null,
};

function http(
  status: number,
  error: string,
  type: string,
  text: string,
  more: Partial<Pick<ClaudeFailure, 'terminal' | 'retriedAs'>> = {},
): ClaudeFailure {
  return { status, error, type, text, terminal: 'api_error', retriedAs: null, ...more };
}

function wire(text: string): ClaudeFailure {
  return {
    status: null,
    error: 'server_error',
    type: null,
    text,
    terminal: 'api_error',
    retriedAs: 'unknown',
  };
}
