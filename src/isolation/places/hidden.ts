import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from './mount.js';
import { listOrNone } from './system.js';

/** Names under which programs keep logins, keys and histories in their own folder. */
const CREDENTIAL =
  /credential|token|secret|passw|cookie|keyring|wallet|^auth\b|^\.?(?:netrc|npmrc|pypirc|env)$|\.(?:key|pem|p12|pfx|kdbx|jks|gpg|age)$/i;
const SETTINGS = /^\.?config(?:\.\w+)?$/i;
const DEPTH = 2;
const MAX_SEARCHED = 5_000;

/**
 * Lists what to hide in a folder of programs in the user's home: files that look like credentials, and sockets, to which
 * a read-only mount would not stop connections.
 */
export function hiddenAmongPrograms(folder: string): Mount[] {
  if (folder.endsWith('/node_modules')) return [];
  return listFiles(folder, DEPTH)
    .filter(
      ({ path, name, stat }) =>
        stat.isSocket() || CREDENTIAL.test(name) || (SETTINGS.test(name) && path === join(folder, name)),
    )
    .map(({ path }) => ({ path, mode: 'empty-file' }));
}

/** Lists the sockets in these folders on which a program of this machine listens, as the kernel knows them. */
export function hiddenListeners(folders: readonly string[]): Mount[] {
  const paths = readFileSync('/proc/net/unix', 'utf8').match(/(?<= )\/.*$/gm) ?? [];
  return [...new Set(paths)]
    .filter((path) => listOrNone(() => [lstatSync(path)]).some((stat) => stat.isSocket()))
    .map((path) => realpathSync(path))
    .filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)))
    .map((path) => ({ path, mode: 'empty-file' }));
}

/** Lists the sockets in a folder that must be readable. */
export function hiddenSockets(folder: string): Mount[] {
  return listFiles(folder, Number.POSITIVE_INFINITY)
    .filter(({ stat }) => stat.isSocket())
    .map(({ path }) => ({ path, mode: 'empty-file' }));
}

interface Found {
  readonly path: string;
  readonly name: string;
  readonly stat: Stats;
}

function listFiles(top: string, depth: number): Found[] {
  const found: Found[] = [];
  let level = [top];
  for (let below = 0; below < depth && level.length > 0 && found.length < MAX_SEARCHED; below += 1) {
    const entries = level.flatMap((folder) => list(folder));
    found.push(...entries.filter(({ stat }) => !stat.isDirectory() && !stat.isSymbolicLink()));
    level = entries.filter(({ stat }) => stat.isDirectory()).map(({ path }) => path);
  }
  return found;
}

function list(folder: string): Found[] {
  return listOrNone(() => readdirSync(folder)).flatMap((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ path, name, stat }];
  });
}
