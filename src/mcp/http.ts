import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { listen } from '../agent/server/listen.js';
import { messageOf } from '../domain/common/message-of.js';
import type { Harness } from './harness.js';
import { createHarnessServer } from './server.js';

/** The HTTP server, and what a caller needs to reach it. */
interface HttpServing {
  readonly url: string;
  readonly token: string;
  readonly close: () => Promise<void>;
}

/** Larger messages get a 413. The limit leaves room for prompts that are too long, which get a better answer. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Serves the tools as streamable HTTP on loopback, behind a token that is new for each start. */
export async function serveOverHttp(harness: Harness, port: number): Promise<HttpServing> {
  const token = randomBytes(24).toString('base64url');
  const today = createMcpHandler(() => createHarnessServer(harness), {
    legacy: 'reject',
    maxRequestBodySize: MAX_MESSAGE_BYTES,
  });
  const earlier = new EarlierClients(() => createHarnessServer(harness), MAX_MESSAGE_BYTES);
  const server = await openLoopback({
    port,
    token,
    answer: async (request) =>
      (await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_MESSAGE_BYTES }))
        ? earlier.answer(request)
        : today.fetch(request),
  });
  return {
    url: server.url,
    token,
    close: async () => {
      await Promise.all([today.close(), earlier.close()]);
      await server.close();
    },
  };
}

/** How many sessions are kept. Most clients never end theirs. */
const MAX_SESSIONS = 100;

/** Serves clients of the protocol before 2026, which need a session to cancel a call. */
export class EarlierClients {
  readonly #makeServer: () => Server;
  readonly #maxBytes: number;
  readonly #maxSessions: number;
  /** The one that was used last comes last. */
  readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(makeServer: () => Server, maxBytes: number, maxSessions = MAX_SESSIONS) {
    this.#makeServer = makeServer;
    this.#maxBytes = maxBytes;
    this.#maxSessions = maxSessions;
  }

  async answer(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#begin(request);
    const known = this.#sessions.get(id);
    if (known === undefined)
      return new Response('This session has ended. Initialize again.', { status: 404 });
    this.#use(id, known);
    return known.handleRequest(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((transport) => transport.close()));
    this.#sessions.clear();
  }

  async #begin(request: Request): Promise<Response> {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#maxBytes,
      onsessioninitialized: (id): void => this.#use(id, transport),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await this.#makeServer().connect(transport);
    const answer = await transport.handleRequest(request);
    const [[oldest, unused] = []] = this.#sessions;
    if (oldest !== undefined && this.#sessions.size > this.#maxSessions) {
      this.#sessions.delete(oldest);
      await unused?.close();
    }
    return answer;
  }

  #use(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
    this.#sessions.delete(id);
    this.#sessions.set(id, transport);
  }
}

interface LoopbackOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly token: string;
  readonly answer: (request: Request) => Promise<Response>;
  /** How long a request may take to arrive. The answer may take longer. */
  readonly arrivalMs?: number;
}

const PATH = '/mcp';
const ARRIVAL_MS = 60_000;

/** Opens a server on loopback that requires the token. It refuses web pages: a foreign Origin, and a Host that is not loopback. */
export async function openLoopback(
  options: LoopbackOptions,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const { arrivalMs = ARRIVAL_MS } = options;
  const limits = {
    requestTimeout: arrivalMs,
    headersTimeout: arrivalMs,
    connectionsCheckingInterval: arrivalMs / 2,
    // Else Node closes an idle connection after 5 s, perhaps in the moment in which the client sends its next request.
    keepAliveTimeout: 0,
  };
  const server = createServer(limits, (request, response) => void serve(request, response, options));
  const url = await listen(server, '127.0.0.1', options.port);
  return {
    url: `${url}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  options: LoopbackOptions,
): Promise<void> {
  try {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const request = toRequest(incoming, gone.signal);
    await pass(refuse(request, options) ?? (await options.answer(request)), response);
  } catch (error) {
    // A failed request does not end the server.
    if (!response.headersSent) await pass(toProblem(500, messageOf(error)), response);
    else response.destroy();
  }
}

function refuse(request: Request, { token }: LoopbackOptions): Response | null {
  const page =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  if (page !== undefined) return page;
  if (new URL(request.url).pathname !== PATH) return toProblem(404, `Expected the path ${PATH}.`);
  if (isSame(request.headers.get('authorization') ?? '', `Bearer ${token}`)) return null;
  return toProblem(
    401,
    'Expected `Authorization: Bearer <token>` with the token that the server printed when it started.',
  );
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function toProblem(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status });
}

function toRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  const { method = 'GET' } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://127.0.0.1${request.url ?? '/'}`, {
    method,
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(request), duplex: 'half' } : {}),
  });
}

async function pass(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  response.flushHeaders();
  const body: ReadableStream = answer.body;
  for await (const chunk of body) {
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.end();
}
