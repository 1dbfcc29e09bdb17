import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AgentScript } from '../../domain/agent-script.js';
import { isKnownError } from '../../domain/common/known-error.js';
import { stackOf } from '../../domain/common/message-of.js';
import type { RequestRecord } from '../../domain/evidence/request-record.js';
import type { ToolRecipes } from '../../domain/tool-recipe.js';
import { Dialogue } from './dialogue.js';
import { handleRequest, type ServerContext } from './handle-request.js';
import { listen } from './listen.js';
import { RequestLog } from './request-log.js';
import { sendJson } from './send.js';

export interface ModelServerOptions {
  readonly script: AgentScript;
  /** How each CLI's tools perform the neutral steps of the script. */
  readonly recipes: readonly ToolRecipes[];
  /** Loopback by default: the server checks no credentials and answers anybody. */
  readonly host?: string;
  /** 0, the default, picks any free port. */
  readonly port?: number;
  /** A file for the requests, one JSON object per line. */
  readonly recordTo?: string | undefined;
  /** Values that must not be recorded; key-shaped strings never are. */
  readonly secrets?: readonly string[];
  /** The agent's working directory, if known; it overrides what the CLI says. */
  readonly cwd?: string;
  readonly maxRequestBytes?: number;
  /** Called for every request as it is recorded, before it is answered. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** A model on loopback that plays a script to any agent CLI. */
export interface ModelServer {
  readonly url: string;
  /** All requests so far, in order of arrival. */
  readonly requests: readonly RequestRecord[];
  readonly close: () => Promise<void>;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const log = new RequestLog(options);
  await log.prepare();
  const closing = new AbortController();
  const context: ServerContext = {
    log,
    closing: closing.signal,
    maxRequestBytes: options.maxRequestBytes ?? DEFAULT_MAX_BYTES,
    models: [options.script.identity?.model ?? 'scripted'],
    decisions: {
      dialogue: new Dialogue(options.script),
      recipes: options.recipes,
      cwd: options.cwd ?? null,
    },
  };
  const server = createServer((request, response) => void serve(request, response, context));
  // No limit: a scripted model may take its time, as a real one does.
  server.requestTimeout = 0;
  // Else Node closes an idle connection after 5 s, perhaps in the moment in which the CLI sends its next request.
  server.keepAliveTimeout = 0;
  server.on('upgrade', (_request, socket) => {
    // codex tries a WebSocket first. On this answer it falls back to HTTP at once; on any other it tries six times.
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

/** Keeps the server alive if one request fails, and reports the error to the caller if it still listens. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  try {
    await handleRequest(request, response, context);
  } catch (error) {
    // The request is always destroyed: its body has been read.
    if (response.destroyed) return;
    // An answer that has begun can only break off.
    if (response.headersSent) return void response.destroy();
    const message = isKnownError(error)
      ? `ralph-e2e: ${error.message}`
      : `ralph-e2e has a bug: ${stackOf(error)}`;
    sendJson(response, 500, { error: { message } });
  }
}
