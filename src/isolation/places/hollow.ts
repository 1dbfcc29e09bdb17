import { lstatSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { makeFolderSync } from '../../exec/files/make-folder.js';
import type { Mount } from './mount.js';

/**
 * Makes read-only folders that contain only the places where something is mounted. Around a workspace in a folder for
 * temporary files they make a write fail, which would otherwise succeed unseen.
 */
export function hollowFolders(paths: readonly string[], mounts: readonly Mount[], aside: string): Mount[] {
  return paths.map((path, index) => {
    const source = join(aside, `around-${index}`);
    makeFolderSync(source);
    for (const below of mounts.filter((mount) => mount.path.startsWith(`${path}/`))) {
      const point = join(source, relative(path, below.path));
      const isFolder = below.mode === 'empty-folder' || isRealFolder(below.path);
      makeFolderSync(isFolder ? point : dirname(point));
      if (!isFolder) writeFileSync(point, '');
    }
    return { path, mode: 'read-only', source };
  });
}

/** Whether it is or will be a folder: a workspace is made after its sandbox. */
function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
}
