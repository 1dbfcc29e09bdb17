import { randomBytes } from 'node:crypto';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Laboratory } from '../laboratory.js';
import { createHarnessServer } from '../server.js';
import { EarlierClients } from './earlier-clients.js';
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
  const earlier = new EarlierClients(() => createHarnessServer(laboratory), MAX_MESSAGE_BYTES);
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
