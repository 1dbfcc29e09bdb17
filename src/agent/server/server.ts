import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AgentScript } from '../../domain/agent-script.js';
import { stackOf } from '../../domain/common/message-of.js';
import type { RequestRecord } from '../../domain/evidence/request-record.js';
import type { ToolRecipes } from '../../domain/tool-recipe.js';
import { Dialogue } from './dialogue.js';
import { handleRequest, type ServerContext } from './handle-request.js';
import { listen } from './listen.js';
import { RequestLog } from './request-log.js';

export interface ModelServerOptions {
  readonly script: AgentScript;
  /** The tools of the CLIs that may ask, for the neutral steps of the script. */
  readonly recipes: readonly ToolRecipes[];
  /** Loopback by default: the server knows no credentials and would answer anybody. */
  readonly host?: string;
  /** 0, the default, takes any that is free. */
  readonly port?: number;
  /** A file for the requests, one JSON object a line. */
  readonly recordTo?: string | undefined;
  /** Values that must not be recorded; key-shaped strings never are. */
  readonly secrets?: readonly string[];
  /** Where the agent works, when that is known better than from what the CLI says. */
  readonly cwd?: string;
  readonly maxRequestBytes?: number;
  /** Told of every request as it is recorded, before it is answered. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** A model on loopback that plays a script to whatever agent CLI asks it. */
export interface ModelServer {
  readonly url: string;
  /** The requests so far, in order of arrival. */
  readonly requests: readonly RequestRecord[];
  readonly close: () => Promise<void>;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** Starts a model server. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const log = new RequestLog(options);
  const closing = new AbortController();
  const context: ServerContext = {
    log,
    closing: closing.signal,
    maxRequestBytes: options.maxRequestBytes ?? DEFAULT_MAX_BYTES,
    decisions: { dialogue: new Dialogue(options.script), recipes: options.recipes, cwd: options.cwd ?? null },
  };
  const server = createServer((request, response) => void serve(request, response, context));
  // A model thinks as long as it likes, and so does a script.
  server.requestTimeout = 0;
  server.on('upgrade', (_request, socket) => {
    // codex tries a WebSocket first; to this answer it falls back to HTTP at once, after any other it tries six times.
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  });
  const url = await listen(server, host, port);
  return {
    url,
    requests: log.records,
    close: async () => {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whatever goes wrong with one request must not end the server: the caller is told, if it still listens. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  try {
    await handleRequest(request, response, context);
  } catch (error) {
    if (response.destroyed || request.destroyed) return;
    const message = `ralph-e2e has a bug: ${stackOf(error)}`;
    if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message } }));
  }
}
