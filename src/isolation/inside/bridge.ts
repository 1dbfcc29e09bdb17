import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Listens on a port of the inner loopback and forwards every connection to a unix socket that leads outside. */
export async function openBridge(port: number, path: string): Promise<void> {
  const server = createServer((inner) => joinSockets(inner, connect(path)));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

/** Forwards in both directions. If one side breaks, closes the other: neither may wait for an answer that cannot come. */
export function joinSockets(inner: Socket, outer: Socket): void {
  inner.pipe(outer).pipe(inner);
  for (const [one, other] of [
    [inner, outer],
    [outer, inner],
  ] as const)
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
}
