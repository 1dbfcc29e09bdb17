import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { chmod, copyFile, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { parseJson } from '../domain/common/json-lines.js';
import { KnownError } from '../domain/common/known-error.js';
import { messageOf } from '../domain/common/message-of.js';
import { hasErrorCode } from '../exec/error-code.js';
import { readStart } from '../exec/files/read-start.js';
import { removeTree } from '../exec/files/remove-tree.js';
import { pidNamespace } from '../exec/pid-namespace.js';
import { readProcess } from '../exec/process/table.js';
import { joinSockets } from './inside/bridge.js';
import { type WardenNews, wardenNewsSchema } from './protocol.js';

/** Not TMPDIR: the path of a unix socket is limited to 107 bytes, and the folder must exist on every machine. */
const PLACE = '/tmp';
const PREFIX = 'ralph-e2e-sandbox-';

/** The folder through which the inside and the outside of a sandbox communicate, and our ends of its sockets. */
export interface Exchange {
  readonly folder: string;
  readonly control: string;
  /** The tokens of wardens that were started and have not reported yet. */
  readonly due: Set<string>;
  /** For each port, the path of the socket that leads to it. */
  readonly bridges: Readonly<Record<string, string>>;
  readonly resolverFile: string;
  /** What starts a program so that nobody inside can trace it; empty if that is not possible here. */
  readonly starter: readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens the outer ends. `onNews` gets the messages of wardens; one that never sent its token is ignored. */
export async function openExchange(
  ports: readonly number[],
  onNews: (token: string, news: WardenNews | 'gone') => void,
  place: string = PLACE,
): Promise<Exchange> {
  const folder = await openExchangeFolder(place);
  // Files first: if one cannot be written, no server keeps us running.
  const resolverFile = await writeResolver(folder);
  const starter = await copyLoader(folder);
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const listen = async (path: string, serve: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      serve(socket);
    });
    servers.push(server);
    server.listen(path);
    await once(server, 'listening');
    return path;
  };
  const due = new Set<string>();
  const control = await listen(join(folder, 'control'), (socket) => hear(socket, due, onNews));
  const bridges = await Promise.all(
    ports.map(async (port) => {
      const serve = (inner: Socket) => joinSockets(inner, connect(port, '127.0.0.1'));
      return [`${port}`, await listen(join(folder, `${port}`), serve)] as const;
    }),
  );
  return {
    folder,
    control,
    due,
    bridges: Object.fromEntries(bridges),
    resolverFile,
    starter,
    close: async () => {
      const closed = servers.map((server) => once(server, 'close'));
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
      await removeTree(folder);
    },
  };
}

/** Creates a folder for exchanges. Its name says whose it is, so that a later run can remove it. */
export function openExchangeFolder(place: string = PLACE): Promise<string> {
  return mkdtemp(join(place, `${PREFIX}${pidNamespace()}-${process.pid}-`));
}

/** Writes a resolv.conf with our own name server; then one without a route, so that lookups are at least counted. */
export async function writeResolver(folder: string): Promise<string> {
  const path = join(folder, 'resolv.conf');
  await writeFile(path, 'nameserver 127.0.0.1\nnameserver 192.0.2.1\noptions timeout:1 attempts:1\n');
  await chmod(path, 0o644);
  return path;
}

/**
 * Copies the loader of this Node (`ld-linux.so`) as a file that can be executed and not read. The kernel lets nobody
 * trace what is started from such a file, or open its memory, its environment and its descriptors.
 */
async function copyLoader(folder: string): Promise<readonly string[]> {
  const isLoader = (text: string) => text.startsWith('/') && /^ld.*\.so/.test(basename(text));
  const loader = readStart(process.execPath, 4096).split('\0').find(isLoader);
  if (loader === undefined) return [];
  const copy = join(folder, 'loader');
  try {
    await copyFile(loader, copy);
    await chmod(copy, 0o111);
    accessSync(copy, constants.X_OK);
    return [copy];
  } catch (error) {
    // Nothing in this folder can be executed.
    if (hasErrorCode(error, 'EACCES')) return [];
    if (!hasErrorCode(error, 'EFBIG', 'ENOSPC', 'EDQUOT')) throw error;
    throw new KnownError(`Expected room for ${copy}, found none: ${messageOf(error)}.`, {
      hint: 'Free disk space, or raise the limit for files (`ulimit -f`).',
    });
  }
}

/** Any program inside can write to the socket, and needs little to say that it is a warden. */
const MAX_LINE = { stranger: 64 * 1024, warden: 16 * 1024 * 1024 } as const;

/**
 * Accepts only the first sender of a token. That is the warden, because it sends before any program of the agent runs.
 * Whoever does not begin with a token of its own, or sends an endless line, is cut off.
 */
function hear(
  socket: Socket,
  due: Set<string>,
  onNews: (token: string, news: WardenNews | 'gone') => void,
): void {
  let token: string | null = null;
  socket.on('error', () => {});
  const take = (line: string) => {
    const { data: news } = wardenNewsSchema.safeParse(parseJson(line));
    if (news?.type === 'started' && token === null && due.delete(news.token)) token = news.token;
    if (token === null) socket.destroy();
    else if (news !== undefined) onNews(token, news);
  };
  let begun = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    const [first = '', ...lines] = piece.split('\n');
    begun += first;
    for (const line of lines) {
      take(begun);
      begun = line;
    }
    if (begun.length > (token === null ? MAX_LINE.stranger : MAX_LINE.warden)) socket.destroy();
  });
  socket.on('close', () => {
    if (token !== null) onNews(token, 'gone');
  });
}

/** Removes what killed runs left. */
export async function sweepExchanges(): Promise<void> {
  for (const name of await readdir(PLACE)) {
    const owner = new RegExp(`^${PREFIX}${pidNamespace()}-(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || readProcess(Number(owner)) !== null) continue;
    // A folder of another user cannot be removed.
    await removeTree(join(PLACE, name)).catch(() => {});
  }
}
