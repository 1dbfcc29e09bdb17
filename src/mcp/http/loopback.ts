import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { hasErrorCode } from '../../exec/error-code.js';

/** A server on loopback that requires a token. */
export interface LoopbackServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface LoopbackOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly token: string;
  readonly path: string;
  readonly answer: (request: Request) => Promise<Response>;
  /** How long a request may take to arrive. The answer may take longer. */
  readonly arrivalMs?: number;
}

const ARRIVAL_MS = 60_000;

/** Opens the server. It refuses web pages: a foreign Origin, and a Host that is not loopback. */
export async function openLoopback(options: LoopbackOptions): Promise<LoopbackServer> {
  const { arrivalMs = ARRIVAL_MS } = options;
  const limits = {
    requestTimeout: arrivalMs,
    headersTimeout: arrivalMs,
    connectionsCheckingInterval: arrivalMs / 2,
    // Else Node closes an idle connection after 5 s, perhaps in the moment in which the client sends its next request.
    keepAliveTimeout: 0,
  };
  const server = createServer(limits, (request, response) => void serve(request, response, options));
  const port = await listen(server, options.port);
  return {
    url: `http://127.0.0.1:${port}${options.path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        hasErrorCode(error, 'EADDRINUSE', 'EACCES')
          ? new KnownError(`--port ${port}: cannot listen on this port: ${error.message}.`, {
              hint: 'Choose another port, or 0 for a free one.',
            })
          : error,
      );
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: LoopbackOptions,
): Promise<void> {
  try {
    const refusal = refuse(request, options);
    if (refusal !== null) return send(response, refusal.status, refusal.why);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    await pass(await options.answer(toRequest(request, gone.signal)), response);
  } catch (error) {
    // A failed request does not end the server.
    if (!response.headersSent) send(response, 500, messageOf(error));
    else response.destroy();
  }
}

function refuse(
  request: IncomingMessage,
  { token, path }: LoopbackOptions,
): { status: number; why: string } | null {
  const { host = '', origin, authorization = '' } = request.headers;
  if (!isLoopback(`http://${host}`)) return { status: 403, why: 'Expected a loopback address as Host.' };
  if (origin !== undefined && !isLoopback(origin))
    return { status: 403, why: 'Expected no Origin, or a loopback one.' };
  if ((request.url ?? '').split('?')[0] !== path) return { status: 404, why: `Expected the path ${path}.` };
  if (isSame(authorization, `Bearer ${token}`)) return null;
  return {
    status: 401,
    why: 'Expected `Authorization: Bearer <token>` with the token that the server printed when it started.',
  };
}

function isLoopback(address: string): boolean {
  return URL.canParse(address) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname);
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
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

function send(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: why } }));
}
