import { cp, readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { makeFolder } from '../../../exec/files/make-folder.js';

/** Whether a folder contains a path, or is that path. */
export function contains(folder: string, path: string): boolean {
  const rest = relative(resolve(folder), resolve(path));
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`));
}

/** Copies a folder without its git objects and without `left`, which is inside and where the copy may go. */
export async function copyAround(from: string, to: string, left: string): Promise<void> {
  await makeFolder(to);
  for (const name of await readdir(from)) {
    const path = join(from, name);
    if (name === '.git' || contains(left, path)) continue;
    if (contains(path, left)) await copyAround(path, join(to, name), left);
    else await cp(path, join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}
