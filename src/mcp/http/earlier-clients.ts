import { randomUUID } from 'node:crypto';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/** How many sessions are kept, and for how long after their last request. Sessions with an open request are kept. */
export interface SessionLimits {
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
