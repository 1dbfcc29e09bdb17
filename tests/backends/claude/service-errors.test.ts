import { describe, expect, test } from 'vitest';
import { readClaudeStream } from '../../../src/backends/claude/transcript.js';

// Lines of Claude Code 2.1.325 against a server that answers with errors, shortened to what matters.

const retry = (status: number | null, error: string, delay: number) =>
  JSON.stringify({
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    max_retries: 1,
    retry_delay_ms: delay,
    error_status: status,
    error,
  });
const synthetic = (text: string, error: string, status?: number) =>
  JSON.stringify({
    type: 'assistant',
    message: { model: '<synthetic>', role: 'assistant', content: [{ type: 'text', text }] },
    error,
    is_api_error_message: true,
    ...(status === undefined ? {} : { api_error_status: status }),
  });
const failed = (result: string, status: number | null = null) =>
  JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: true,
    api_error_status: status,
    terminal_reason: 'api_error',
    result,
  });
const answered = (text: string) =>
  JSON.stringify({
    type: 'assistant',
    message: { model: 'claude-opus-5-5', content: [{ type: 'text', text }] },
  });
const done = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'ok' });

function errorsIn(...lines: readonly string[]) {
  return readClaudeStream(lines)?.serviceErrors;
}

describe('errors of the service in the stream of Claude Code', () => {
  test('an error that ended the call has its status, its message and the pause that was asked for', () => {
    const text = 'API Error: Request rejected (429) · server says 429';
    expect(
      errorsIn(retry(429, 'rate_limit', 2000), synthetic(text, 'rate_limit', 429), failed(text, 429)),
    ).toEqual([
      {
        status: 429,
        kind: 'rate_limit',
        message: text,
        overcome: false,
        waitedSeconds: 2,
        retryAfterSeconds: 2,
      },
    ]);
  });

  test('an error after which the model answers is overcome, and its pauses are added up', () => {
    const lines = [retry(529, 'overloaded', 600), retry(529, 'overloaded', 1400), answered('hello'), done];
    expect(errorsIn(...lines)).toMatchObject([{ status: 529, overcome: true, waitedSeconds: 2 }]);
  });

  test('a stream that breaks off while the CLI waits has an error that was not overcome', () => {
    expect(errorsIn(answered('hello'), retry(503, 'server_error', 500))).toMatchObject([
      { status: 503, overcome: false },
    ]);
  });

  test('a dropped connection has no status', () => {
    const text = 'API Error: Connection dropped (ECONNRESET).';
    expect(
      errorsIn(retry(null, 'unknown', 562), synthetic(text, 'server_error'), failed(text)),
    ).toMatchObject([{ status: null, kind: 'server_error', message: text, overcome: false }]);
  });

  test('a missing login is an error without a retry', () => {
    const text = 'Not logged in · Please run /login';
    expect(errorsIn(synthetic(text, 'authentication_failed'), failed(text))).toMatchObject([
      { status: null, kind: 'authentication_failed', message: text, overcome: false },
    ]);
  });

  test('a limit says when it resets', () => {
    const text = "You've hit your 5-hour limit · resets 6:54am (UTC)";
    const limit = JSON.stringify({
      type: 'rate_limit_event',
      rate_limit_info: { status: 'rejected', resetsAt: 1794812074, rateLimitType: 'five_hour' },
    });
    expect(errorsIn(limit, synthetic(text, 'rate_limit', 429), failed(text, 429))).toMatchObject([
      { status: 429, resetsAt: '2026-11-16T06:54:34.000Z' },
    ]);
  });

  test('a limit that is not reached is no error', () => {
    const allowed = JSON.stringify({
      type: 'rate_limit_event',
      rate_limit_info: { status: 'allowed', resetsAt: 1794812074 },
    });
    expect(errorsIn(allowed, answered('hello'), done)).toEqual([]);
  });

  test('an agent that talks about errors reports none', () => {
    const talk = 'The server says {"type":"system","subtype":"api_retry","error_status":429}: API Error: 429';
    expect(errorsIn(answered(talk), done)).toEqual([]);
  });

  test('an error of the CLI itself is not the service’s', () => {
    const tooMany = JSON.stringify({ type: 'result', subtype: 'error_max_turns', is_error: true });
    expect(errorsIn(answered('hello'), tooMany)).toEqual([]);
  });
});
