import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { statOrNull } from '../exec/files/stat-or-null.js';

/** Deletes a file, a link or a folder with everything in it. Deletes links, never follows them. */
export async function removeTree(path: string): Promise<void> {
  // Do this first, not after a failure: a failed `rm` still deletes in the background while it reports.
  if ((await statOrNull(path))?.isDirectory()) await openFolders(path);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Makes folders writable: agents leave write-protected ones (such as Go's module cache) that could not be deleted. */
async function openFolders(folder: string): Promise<void> {
  const { mode } = await lstat(folder);
  if ((mode & 0o700) !== 0o700) await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
  }
}
