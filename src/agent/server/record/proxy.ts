import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod';
import type { AgentScript, Failure } from '../../../domain/agent-script.js';
import { messageOf } from '../../../domain/common/message-of.js';
import { findApi } from '../apis/find-api.js';
import { readCaller, sessionOf } from '../caller.js';
import { listen } from '../listen.js';
import { readBody } from '../read-body.js';
import { sendJson } from '../send.js';
import { recogniseSideRequest } from '../side-request.js';
import { readSituation } from '../situation.js';
import { type RealAnswer, readFailure } from './read-failure.js';
import { type RecordedReply, readReply } from './read-reply.js';
import { Recorder } from './recorder.js';

export interface RecordingProxyOptions {
  /** The URL of the real API; the path of each request is appended. */
  readonly target: string;
  readonly port?: number;
}

/** A proxy between a CLI and a real model that records the model's answers. */
export interface RecordingProxy {
  readonly url: string;
  /** Returns the script that replays the answers so far. */
  readonly script: () => AgentScript;
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';
const MAX_BYTES = 64 * 1024 * 1024;

/** Starts a recording proxy on loopback. */
export async function startRecordingProxy({
  target,
  port = 0,
}: RecordingProxyOptions): Promise<RecordingProxy> {
  const recorder = new Recorder();
  const server = createServer((request, response) => {
    forward(request, response, target, recorder).catch((error: unknown) => {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      const message = `ralph-e2e: cannot reach ${target}: ${messageOf(cause)}`;
      if (response.headersSent) response.destroy();
      else sendJson(response, 502, { error: { type: 'api_error', message } });
    });
  });
  const url = await listen(server, HOST, port);
  return {
    url,
    script: () => recorder.toScript(),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  recorder: Recorder,
): Promise<void> {
  const { method = 'GET', url: path = '/' } = request;
  recorder.addSecrets(credentialsOf(request.headers, path));
  const body = await readBody(request, MAX_BYTES);
  const upstream = await fetch(`${target.replace(/\/$/, '')}${path}`, {
    method,
    headers: forwardedHeaders(request.headers),
    ...(body.kind === 'json' ? { body: JSON.stringify(body.value) } : {}),
  });
  response.writeHead(upstream.status, answeredHeaders(upstream.headers));
  const read = await forwardBody(upstream.body ?? [], response);
  // Record before the answer ends, so that the caller's next request finds it recorded.
  const answer = { status: upstream.status, headers: upstream.headers, ...read };
  if (body.kind === 'json') recordAnswer(request, body.value, answer, recorder);
  if (read.isBroken) response.destroy();
  else response.end();
}

/** Passes a body on as it arrives. The service may break the connection in the middle. */
async function forwardBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  response: ServerResponse,
): Promise<{ readonly text: string; readonly isBroken: boolean }> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      response.write(chunk);
    }
    return { text, isBroken: false };
  } catch {
    return { text, isBroken: true };
  }
}

function recordAnswer(
  { url: path = '/', headers }: IncomingMessage,
  body: unknown,
  answer: RealAnswer & { readonly isBroken: boolean },
  recorder: Recorder,
): void {
  const url = new URL(path, 'http://localhost');
  const served = findApi(url);
  if (served?.for !== 'answer') return;
  const sent = parseOrNull(() => served.api.parse(body, url));
  if (sent === null) return;
  const parsed = recorder.conversations.complete(sent) ?? sent;
  const caller = readCaller(headers);
  const situation = readSituation(parsed, caller);
  if (situation.number === 0 || recogniseSideRequest(parsed, caller, situation) !== null) return;
  const conversation = recorder.identify(parsed, sessionOf(parsed, caller));
  const failure = readFailure(answer, parsed.stream);
  if (failure !== null) return recorder.addFailure(conversation, situation, failure);
  const reply = readReply(parsed.api, answer.text, parsed.stream);
  if (answer.isBroken) return recorder.addFailure(conversation, situation, toTruncated(reply));
  recorder.addReply(conversation, situation, reply);
  recorder.keep(parsed, conversation, reply);
}

/** An answer that stopped in the middle, as a failure. */
function toTruncated({ parts }: RecordedReply): Failure {
  const text = parts.flatMap((part) => (part.kind === 'said' ? [part.text] : [])).join('\n');
  return { type: 'truncated', ...(text === '' ? {} : { text }) };
}

/** An invalid request is for the real API to reject; there is nothing to record. */
function parseOrNull<Value>(parse: () => Value): Value | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Headers that belong to one connection, or that would compress the answer. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|keep-alive|expect|upgrade)$/;

function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OWN_HEADERS.test(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

function answeredHeaders(headers: Headers): Record<string, string> {
  const passed = [...headers].filter(([name]) => !OWN_HEADERS.test(name) && name !== 'content-encoding');
  return Object.fromEntries(passed);
}

/** The caller's credentials, which must not get into the script. */
function credentialsOf(headers: IncomingHttpHeaders, path: string): string[] {
  const names = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie', 'proxy-authorization'];
  const values = names.flatMap((name) => [headers[name] ?? []].flat());
  const key = new URL(path, 'http://localhost').searchParams.get('key');
  return [...values, ...(key === null ? [] : [key])].flatMap((value) => [value, value.replace(/^\w+ /, '')]);
}
