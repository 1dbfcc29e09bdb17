import { randomBytes, randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Laboratory } from '../laboratory.js';
import { createHarnessServer } from '../server.js';
import { openHttpFace } from './http-face.js';

/** The HTTP server, and what a caller needs to reach it. */
export interface HttpServing {
  readonly url: string;
  readonly token: string;
  readonly close: () => Promise<void>;
}

/** Larger messages get a 413. The limit leaves room for prompts that are too long, which get a better answer. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Serves the tools as streamable HTTP on loopback, behind a token that is new for each start. */
export async function serveOverHttp(laboratory: Laboratory, port: number): Promise<HttpServing> {
  const token = randomBytes(24).toString('base64url');
  const today = createMcpHandler(() => createHarnessServer(laboratory), {
    legacy: 'reject',
    maxRequestBodySize: MAX_MESSAGE_BYTES,
  });
  const earlier = new EarlierClients(laboratory);
  const face = await openHttpFace({
    port,
    token,
    path: '/mcp',
    answer: async (request) =>
      (await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_MESSAGE_BYTES }))
        ? earlier.answer(request)
        : today.fetch(request),
  });
  return {
    url: face.url,
    token,
    close: async () => {
      await Promise.all([today.close(), earlier.close()]);
      await face.close();
    },
  };
}

/** Serves clients of the protocol before 2026, which need a session to cancel a call. */
class EarlierClients {
  readonly #laboratory: Laboratory;
  readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(laboratory: Laboratory) {
    this.#laboratory = laboratory;
  }

  async answer(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : this.#sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    if (id !== null) return new Response('This session has ended. Initialize again.', { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_MESSAGE_BYTES,
      onsessioninitialized: (session) => void this.#sessions.set(session, transport),
      onsessionclosed: (session) => void this.#sessions.delete(session),
    });
    await createHarnessServer(this.#laboratory).connect(transport);
    return transport.handleRequest(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((transport) => transport.close()));
  }
}
