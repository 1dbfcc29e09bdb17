import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Listens on a port of the inner loopback and forwards every connection to a unix socket that leads outside. */
export async function openBridge(port: number, path: string): Promise<void> {
  const server = createServer((inner) => {
    const outer = connect(path);
    inner.pipe(outer).pipe(inner);
    // If one side breaks, close the other: neither may wait for an answer that cannot come.
    inner.on('error', () => outer.destroy());
    outer.on('error', () => inner.destroy());
    inner.on('close', () => outer.destroy());
    outer.on('close', () => inner.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
