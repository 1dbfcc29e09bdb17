import { accessSync, constants, existsSync, lstatSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { hasErrorCode } from '../../exec/error-code.js';
import type { Mount } from './mount.js';

/** Where a system keeps its programs and what they need. Everything else on this machine is missing inside. */
const SYSTEM = '/bin /etc /gnu /lib /lib32 /lib64 /libx32 /nix /opt /sbin /usr'.split(' ');

/** Lists the system folders of this machine. */
export function systemFolders(): string[] {
  return SYSTEM.filter((path) => existsSync(path));
}

/** Whether a path is in a system folder. */
export function isOfSystem(path: string): boolean {
  return SYSTEM.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** Where administrators keep passwords and keys next to settings, and how deep to look for them. */
const SEARCHED = [
  ['/etc', 12],
  ['/opt', 12],
  ['/usr/local/etc', 6],
] as const;

let found: readonly Mount[] | undefined;

/**
 * Lists what is private in system folders: everything that not all users may read, such as /etc/shadow and the keys of
 * the ssh server. Whoever starts us as root could otherwise let an agent read it.
 */
export function privateParts(): readonly Mount[] {
  found ??= SEARCHED.flatMap(([folder, depth]) => (existsSync(folder) ? search(folder, depth) : []));
  return found;
}

function search(folder: string, depth: number): Mount[] {
  return listOrNone(() => readdirSync(folder)).flatMap((name): Mount[] => {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const needed = stat.isDirectory() ? 0o005 : 0o004;
    const isOpen = (stat.mode & needed) === needed;
    if (stat.isSymbolicLink() || !(isOpen || isReadable(path))) return [];
    if (!isOpen && !holdsPrograms(path))
      return [{ path, mode: stat.isDirectory() ? 'empty-folder' : 'empty-file' }];
    return stat.isDirectory() && depth > 1 ? search(path, depth - 1) : [];
  });
}

/** Whether programs that are on PATH lie below. */
function holdsPrograms(folder: string): boolean {
  const programs = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)];
  return programs.some((place) => place === folder || place.startsWith(`${folder}/`));
}

/** Whether we may read it. If not, programs inside may not either. */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Lists a folder; nothing if it is no folder, is gone, or is not ours to read. Programs inside cannot read it either. */
export function listOrNone<Entry>(list: () => Entry[]): Entry[] {
  try {
    return list();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return [];
    throw error;
  }
}
