// Listens on sockets and ports where programs of the user listen, and notes who knocks.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

/**
 * @param {Readonly<Record<'USER_HOME' | 'PROJECT' | 'PLUGIN' | 'BUILT' | 'TMP_SOCKETS' | 'VAR_TMP_SOCKETS' | 'RUN_SOCKETS', string>>} places
 * @param {string} token
 */
export async function openDoors(places, token) {
  /** The ids of the attempts that were heard. @type {Set<string>} */
  const knocked = new Set();
  /** @param {string} text */
  const note = (text) => {
    for (const [, id = ''] of text.matchAll(/escape:([\w./-]+)/g)) knocked.add(id);
  };
  /** @param {import('node:net').Socket} socket */
  const hear = (socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      note(text);
    });
  };
  const abstract = `ralph-e2e-escape-${token}`;
  const servers = listSockets(places, abstract).map((path) => {
    if (!path.startsWith('\0')) mkdirSync(dirname(path), { recursive: true });
    return createServer(hear).listen(path);
  });
  const tcp = createServer(hear).listen(0, '::');
  const udp = createSocket('udp4', (message) => note(message.toString())).bind(0);
  await Promise.all([...servers, tcp, udp].map((server) => once(server, 'listening')));
  return {
    knocked,
    addresses: {
      ABSTRACT: abstract,
      TCP_PORT: String(Object(tcp.address()).port),
      UDP_PORT: String(udp.address().port),
    },
    close: () => {
      for (const server of [...servers, tcp, udp]) server.close();
    },
  };
}

/**
 * @param {Readonly<Record<'USER_HOME' | 'PROJECT' | 'PLUGIN' | 'BUILT' | 'TMP_SOCKETS' | 'VAR_TMP_SOCKETS' | 'RUN_SOCKETS', string>>} places
 * @param {string} abstract
 */
function listSockets(places, abstract) {
  const byPlace = {
    USER_HOME:
      'agent.sock .colima/docker.sock .gnupg/S.gpg-agent .local/share/app/ipc.sock .cache/app.sock bin/daemon.sock .tool/daemon.sock',
    PROJECT: 'dev.sock deep/er/dev.sock .e2e-tests/other.sock',
    PLUGIN: 'plugin.sock',
    BUILT: 'ralph.sock a/b/c/d/ralph.sock',
    TMP_SOCKETS: 'any.sock .X11-unix/X99 ssh-abc/agent.1',
    VAR_TMP_SOCKETS: 'any.sock',
    RUN_SOCKETS: 'bus docker.sock',
  };
  const files = Object.entries(byPlace).flatMap(([place, names]) =>
    names.split(' ').map((name) => join(Object(places)[place], name)),
  );
  return [...files, `\0${abstract}`, `\0/tmp/.X11-unix/X${abstract}`];
}
