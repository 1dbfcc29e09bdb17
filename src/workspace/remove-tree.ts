import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { statOrNull } from '../exec/files/stat-or-null.js';

/** Deletes a file, a link or a folder with all that is in it. Links are deleted, never followed. */
export async function removeTree(path: string): Promise<void> {
  // Before and not after a failure: a failed `rm` still deletes in the background while it reports.
  if ((await statOrNull(path))?.isDirectory()) await openFolders(path);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Agents leave folders that are write-protected (Go's module cache is): what is in them could not be deleted. */
async function openFolders(folder: string): Promise<void> {
  const { mode } = await lstat(folder);
  if ((mode & 0o700) !== 0o700) await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
  }
}
