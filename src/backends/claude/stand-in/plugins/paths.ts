import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

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
  return folders.all.some((folder) => {
    const root = followLinks(resolve(folders.cwd, folder));
    return target === root || target.startsWith(root.endsWith('/') ? root : `${root}/`);
  });
}

function followLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(followLinks(parent), basename(path));
}
