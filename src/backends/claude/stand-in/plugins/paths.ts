import { readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { hasErrorCode } from '../../../../exec/error-code.js';

/** The current folder, and all folders whose files the agent may touch. */
export interface WorkingFolders {
  readonly cwd: string;
  readonly all: readonly string[];
  /** The folders of plugins, which the agent may not change. */
  readonly plugins?: readonly string[];
}

/** Whether a path is inside one of the working folders, after resolving symlinks as far as they exist. */
export function isInside(path: string, folders: WorkingFolders): boolean {
  const target = followLinks(resolve(folders.cwd, path));
  if (target === null) return false;
  return folders.all.some((folder) => {
    const root = followLinks(resolve(folders.cwd, folder));
    return root !== null && (target === root || target.startsWith(root.endsWith('/') ? root : `${root}/`));
  });
}

/** Where a full path leads, also through links to what does not exist. Null if its links lead nowhere. */
export function followLinks(path: string, left = MAX_LINKS): string | null {
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = followLinks(parent, left);
  if (folder === null) return null;
  const place = join(folder, basename(path));
  const target = readLink(place);
  if (target === null) return place;
  return left === 0 ? null : followLinks(resolve(folder, target), left - 1);
}

/** The path of the file that a tool uses: without the spaces around it, and with `~` for the home folder. */
export function pathOf(input: Readonly<Record<string, unknown>>, cwd: string, home = '/'): string | null {
  const path = input.file_path ?? input.path;
  if (typeof path !== 'string') return null;
  const plain = path.trim();
  return /^~(?:\/|$)/.test(plain) ? resolve(home, `.${plain.slice(1)}`) : resolve(cwd, plain);
}

/** The target of a symbolic link, or null if there is none. */
export function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (hasErrorCode(error, ...NO_LINK)) return null;
    throw error;
  }
}

const MAX_LINKS = 40;
/** A word of a command need not be a name that a file could have. */
const NO_LINK = [
  ...['EINVAL', 'ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG', 'ELOOP'],
  'ERR_INVALID_ARG_VALUE',
] as const;
