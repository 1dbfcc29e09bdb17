import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WireApi } from './apis/wire-api.js';
import { type ServerFault, toFault } from './faults.js';
import type { ModelAction } from './model/action.js';
import { type ModelReply, makeReply } from './model/reply.js';
import type { ApiName, ModelRequest } from './model/request.js';

/** A request that awaits its answer. */
export interface Pending {
  readonly response: ServerResponse;
  readonly api: WireApi;
  readonly request: ModelRequest;
  /** Aborted when the caller hangs up or the server closes. */
  readonly signal: AbortSignal;
  readonly tokenDelayMs: number;
}

/** Sends the response that was decided on. */
export async function send(action: ModelAction, pending: Pending): Promise<void> {
  switch (action.kind) {
    case 'reply':
      return sendReply(action.reply, pending);
    case 'hang':
      return sendFault({ kind: 'silence', breakAfterMs: null }, makeReply([]), pending);
    case 'fail':
      return sendFault(toFault(action.failure, pending.api.name), action.reply, pending);
    case 'refuse':
      return sendJson(
        pending.response,
        400,
        pending.api.renderError({ status: 400, message: action.message }),
      );
    default:
      action satisfies never;
  }
}

/** Returns the HTTP status of an action; null if it sends no answer. */
export function statusOf(action: ModelAction, api: ApiName): number | null {
  if (action.kind === 'hang') return null;
  if (action.kind === 'refuse') return 400;
  if (action.kind === 'reply') return 200;
  const fault = toFault(action.failure, api);
  return fault.kind === 'refuse'
    ? fault.status
    : fault.kind === 'cut' || fault.kind === 'garble'
      ? 200
      : null;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Waits, or returns at once if the caller is gone. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return;
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch {
    // The caller hung up; the code that waits finds the connection closed.
  }
}

async function sendReply(reply: ModelReply, pending: Pending): Promise<void> {
  const { response, api, request } = pending;
  if (!request.stream) return sendJson(response, 200, api.render(reply, request));
  await sendChunks(api.stream(reply, request), pending);
  response.end();
}

async function sendChunks(
  chunks: Iterable<string>,
  { response, api, signal, tokenDelayMs }: Pending,
): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(200, { 'content-type': api.streamType, 'cache-control': 'no-cache' });
  let delay = 0;
  for (const chunk of chunks) {
    await pause(delay, signal);
    if (signal.aborted) return;
    if (!response.write(chunk)) await waitForRoom(response, signal);
    delay = tokenDelayMs;
  }
}

async function waitForRoom(response: ServerResponse, signal: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal });
  } catch {
    // The caller hung up; the write loop notices it next.
  }
}

async function sendFault(fault: ServerFault, reply: ModelReply, pending: Pending): Promise<void> {
  const { response, api, request, signal } = pending;
  switch (fault.kind) {
    case 'refuse':
      return sendJson(response, fault.status, api.renderError(fault), fault.headers);
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'silence':
      if (fault.breakAfterMs !== null) {
        await pause(fault.breakAfterMs, signal);
        response.socket?.resetAndDestroy();
      } else await untilAborted(signal);
      return;
    case 'cut':
      return sendBroken('', withText(reply, fault.text), pending);
    case 'garble':
      return sendBroken(request.stream ? api.garble(fault.raw) : fault.raw, reply, pending);
    default:
      fault satisfies never;
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function withText(reply: ModelReply, text: string): ModelReply {
  return text === '' ? reply : { ...reply, parts: [...reply.parts, { type: 'text', pieces: [text] }] };
}

/** Sends the beginning of an answer and `ending`, then breaks the connection. */
async function sendBroken(ending: string, reply: ModelReply, pending: Pending): Promise<void> {
  const { response, api, request } = pending;
  if (request.stream) {
    const chunks = [...api.stream(reply, request)];
    await sendChunks(chunks.slice(0, -api.closingChunks(request)), pending);
  } else if (ending === '') {
    const whole = JSON.stringify(api.render(reply, request));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length + 1 });
    response.write(whole.slice(0, whole.length / 2));
  } else response.writeHead(200, { 'content-type': 'application/json' });
  if (ending !== '') {
    response.end(ending);
    return;
  }
  // Wait until the data is out, then close the connection without ending the answer.
  await new Promise(setImmediate);
  response.socket?.end();
}
