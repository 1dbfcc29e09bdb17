import { randomUUID } from 'node:crypto';
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { statOrNull } from './stat-or-null.js';

/** Deletes a file, a link or a folder with everything in it. Deletes links, never follows them. */
export async function removeTree(path: string): Promise<void> {
  // Do this first, not after a failure: a failed `rm` still deletes in the background while it reports.
  if ((await statOrNull(path))?.isDirectory()) await openFolders(Buffer.from(path), path);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Linux takes paths of up to 4095 bytes, and names of up to 255. */
const MAX_PATH_BYTES = 3_500;

/**
 * Makes folders writable: agents leave write-protected ones (such as Go's module cache) that could not be deleted. Moves
 * up those whose path is too long for the system; an agent gets there step by step. Names are bytes, and not all UTF-8.
 */
async function openFolders(folder: Buffer, top: string): Promise<void> {
  const { mode } = await lstat(folder);
  if ((mode & 0o700) !== 0o700) await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (!entry.isDirectory()) continue;
    const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
    if (path.length <= MAX_PATH_BYTES) await openFolders(path, top);
    else {
      const higher = Buffer.from(join(top, randomUUID()));
      await chmod(path, 0o700);
      await rename(path, higher);
      await openFolders(higher, top);
    }
  }
}
