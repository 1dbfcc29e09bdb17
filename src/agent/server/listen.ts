import { once } from 'node:events';
import type { Server } from 'node:http';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';

/** Starts listening, and returns the server's URL. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  // Node takes a text for the path of a Unix socket.
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new KnownError(`Expected a port from 0 to 65535, found ${JSON.stringify(port) ?? 'nothing'}.`, {
      hint: 'Choose another port; 0 picks any free one.',
    });
  }
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = messageOf(error);
    throw new KnownError(`The server cannot listen on ${host}:${port}: ${reason}.`, {
      hint: 'Choose another port; 0 picks any free one.',
    });
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no TCP address');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
