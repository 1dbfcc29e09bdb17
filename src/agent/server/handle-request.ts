import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import type { RequestRecord } from '../../domain/evidence/request-record.js';
import { makeId } from '../engine/random-id.js';
import { messages } from './apis/anthropic.js';
import { findApi } from './apis/find-api.js';
import { renderGeminiError } from './apis/gemini.js';
import { describeModels, dialectOf } from './apis/models.js';
import { renderOpenAiError } from './apis/openai.js';
import type { Refusal, WireApi } from './apis/wire-api.js';
import { readCaller } from './caller.js';
import { type Decision, type DecisionContext, decideReply } from './decide.js';
import { joinSkillTexts } from './model/join-skills.js';
import type { ModelReply } from './model/reply.js';
import type { Message, ModelRequest } from './model/request.js';
import { readBody } from './read-body.js';
import type { RequestLog } from './request-log.js';
import { pause, send, sendJson, statusOf } from './send.js';

/** State that all requests of a server share. */
export interface ServerContext {
  readonly log: RequestLog;
  readonly closing: AbortSignal;
  readonly maxRequestBytes: number;
  readonly decisions: DecisionContext;
  /** The models that the server lists. It answers as any model. */
  readonly models: readonly string[];
}

/** Answers one request: reads it, asks the script, records the request, and plays the answer. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const { method = '', url: path = '/' } = request;
  const url = new URL(path, 'http://localhost');
  const served = findApi(url);
  const record = (about: Partial<RequestRecord>, body?: unknown): void =>
    context.log.add({ ...blankRecord(method, path), api: served?.api.name ?? 'none', ...about }, body);
  if (served === null || method !== 'POST') {
    request.resume();
    return answerOther({ method, url, headers: request.headers }, context.models, response, record);
  }
  const { api } = served;
  // CLIs repeat this id in their own events and messages.
  response.setHeader('request-id', makeId('req_'));
  const refuse = (status: number, message: string, reason?: Refusal['reason']): void => {
    record({ outcome: 'bad-request', status, detail: message });
    sendJson(response, status, api.renderError({ status, message, ...(reason && { reason }) }));
  };
  const body = await readBody(request, context.maxRequestBytes);
  if (body.kind === 'too-large') {
    return refuse(
      413,
      `The request has ${body.bytes} bytes; this server accepts at most ${context.maxRequestBytes}.`,
    );
  }
  if (body.kind === 'not-json') return refuse(400, `Expected a JSON body: ${body.reason}`);
  const asked = parseRequest(api, body.value, url);
  if (typeof asked === 'string') return refuse(400, asked);
  const { conversations } = context.decisions.dialogue;
  const parsed = conversations.complete(asked);
  if (parsed === null) {
    const status = api.name === 'messages' ? 404 : 400;
    return refuse(status, `Previous response with id '${asked.continues}' not found.`, 'unknown-previous');
  }
  if (served.for === 'count') {
    record({ model: parsed.model, outcome: 'answered', status: 200 }, body.value);
    return sendJson(response, 200, api.renderCount(Math.ceil(body.bytes / 4)));
  }
  const decision = decideReply(parsed, readCaller(request.headers), context.decisions);
  // Recorded before it plays: an answer that hangs is cut off and would leave no trace.
  const { action, conversation } = decision;
  const received =
    decision.kind === 'main' ? { received: context.log.received.take(conversation, parsed) } : {};
  record({ ...describeDecision(decision, parsed), ...received }, body.value);
  if (parsed.kept && action.kind === 'reply') {
    const { reply } = action;
    conversations.keep(api.replyId(reply), conversation, [...parsed.messages, toMessage(reply, api)]);
  }
  await play(decision, parsed, api, response, context.closing);
}

/** An answer as a message of the conversation that goes on after it. */
function toMessage({ parts }: ModelReply, api: WireApi): Message {
  return {
    role: 'assistant',
    text: parts.flatMap((part) => (part.type === 'text' ? [part.pieces.join('')] : [])).join('\n'),
    calls: parts.flatMap((part) =>
      part.type === 'tool' ? [{ id: api.callId(part), name: part.name, input: part.input }] : [],
    ),
  };
}

async function play(
  decision: Decision,
  request: ModelRequest,
  api: WireApi,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  await pause(decision.pauseMs, signal);
  if (signal.aborted) return;
  await send(decision.action, { response, api, request, signal, tokenDelayMs: decision.tokenDelayMs });
  if (decision.ends !== null && !signal.aborted) decision.ends.finished = true;
}

function parseRequest(api: WireApi, body: unknown, url: URL): ModelRequest | string {
  try {
    return joinSkillTexts(api.parse(body, url));
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return `This is not a valid request for the ${api.name} API: ${z.prettifyError(error)}`;
  }
}

/** Answers what is not a model request: CLIs check that the server is up, and list the models. */
function answerOther(
  { method, url, headers }: { method: string; url: URL; headers: IncomingHttpHeaders },
  models: readonly string[],
  response: ServerResponse,
  record: (about: Partial<RequestRecord>) => void,
): void {
  const path = url.pathname;
  if (method === 'HEAD' && path === '/') {
    record({ outcome: 'answered', status: 200 });
    response.writeHead(200).end();
    return;
  }
  const dialect = dialectOf(path, headers);
  const found = method === 'GET' ? describeModels(path, dialect, models) : null;
  if (found !== null) {
    record({ outcome: 'answered', status: 200 });
    return sendJson(response, 200, found);
  }
  record({ outcome: 'not-served', status: 404 });
  const paths =
    '/v1/messages, /v1/chat/completions, /v1/responses and /v1beta/models/<model>:generateContent';
  const message = `${method} ${path}: this server answers only POST on ${paths}, and GET on the lists of models`;
  sendJson(response, 404, ERRORS[dialect]({ status: 404, message }));
}

const ERRORS = {
  anthropic: messages.renderError,
  google: renderGeminiError,
  openai: renderOpenAiError,
} as const;

function blankRecord(method: string, path: string): RequestRecord {
  return {
    at: new Date().toISOString(),
    api: 'none',
    method,
    path,
    conversation: '',
    model: null,
    kind: 'other',
    prompt: '',
    promptBytes: 0,
    toolsRun: 0,
    place: null,
    matched: null,
    outcome: 'answered',
    status: null,
  };
}

function describeDecision(decision: Decision, { model, api }: ModelRequest): Partial<RequestRecord> {
  const { action, kind, conversation, prompt, toolsRun, place, matched } = decision;
  return {
    model,
    kind,
    conversation,
    prompt,
    promptBytes: Buffer.byteLength(prompt),
    toolsRun,
    place,
    matched,
    outcome:
      action.kind === 'refuse' ? action.why : action.kind === 'fail' ? 'failed-as-scripted' : 'answered',
    status: statusOf(action, api),
    ...(action.kind === 'refuse' ? { detail: action.message, unanswered: action.unanswered } : {}),
  };
}
