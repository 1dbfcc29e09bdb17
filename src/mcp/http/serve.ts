import { randomBytes, randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Harness } from '../harness.js';
import { createHarnessServer } from '../server.js';
import { openLoopback } from './loopback.js';

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
    path: '/mcp',
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

/** How many sessions are kept, and for how long after their last request. Sessions with an open request are kept. */
interface SessionLimits {
  readonly most: number;
  readonly idleMs: number;
}

interface EarlierSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  open: number;
  usedAt: number;
}

const LIMITS: SessionLimits = { most: 100, idleMs: 3_600_000 };

/** Serves clients of the protocol before 2026, which need a session to cancel a call. Most of them never end it. */
export class EarlierClients {
  readonly #makeServer: () => Server;
  readonly #limits: SessionLimits & { readonly maxBytes: number };
  /** The one that was used last comes last. */
  readonly #sessions = new Map<string, EarlierSession>();

  constructor(makeServer: () => Server, maxBytes: number, limits = LIMITS) {
    this.#makeServer = makeServer;
    this.#limits = { ...limits, maxBytes };
  }

  get size(): number {
    return this.#sessions.size;
  }

  async answer(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : this.#sessions.get(id);
    if (id !== null && known !== undefined) {
      this.#use(id, known, request);
      return known.transport.handleRequest(request);
    }
    if (id !== null) return new Response('This session has ended. Initialize again.', { status: 404 });
    await this.#forget();
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#limits.maxBytes,
      onsessioninitialized: (session): void => this.#use(session, { transport, open: 0, usedAt: 0 }, request),
      onsessionclosed: (session) => void this.#sessions.delete(session),
    });
    await this.#makeServer().connect(transport);
    return transport.handleRequest(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
    this.#sessions.clear();
  }

  #use(id: string, session: EarlierSession, { signal }: Request): void {
    session.open += 1;
    session.usedAt = Date.now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    // Aborts when the answer has been sent, or the client is gone.
    const end = () => {
      session.open -= 1;
      session.usedAt = Date.now();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  }

  /** Makes room for a new session. */
  async #forget(): Promise<void> {
    const { most, idleMs } = this.#limits;
    for (const [id, { transport, open, usedAt }] of [...this.#sessions]) {
      const isOld = Date.now() - usedAt >= idleMs;
      if (open > 0 || (!isOld && this.#sessions.size < most)) continue;
      this.#sessions.delete(id);
      await transport.close();
    }
  }
}
