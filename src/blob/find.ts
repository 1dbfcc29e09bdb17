import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import { ROOT_MARKER } from '../workspace/workspace-root.js';
import { isBlobName } from './format.js';

/** Downloaded artifacts are in a folder each, sometimes within another. */
const DEEPEST = 4;

/** Lists the blobs that the user named: files, and those in folders. */
export async function findBlobs(named: readonly string[]): Promise<string[]> {
  const found = await Promise.all(named.map(findIn));
  return [...new Set(found.flat())];
}

async function findIn(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (there) => there.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const found = await listIn(path, DEEPEST);
  if (found.length > 0) return found;
  throw new KnownError(`${path}: expected a folder with blobs, found none in it.`, {
    hint: 'Each shard writes one with --report blob, such as .e2e-tests/blob-1-of-4.ralph-e2e.',
  });
}

async function listIn(folder: string, depth: number): Promise<string[]> {
  // Below the top are blobs of earlier runs, and what agents wrote.
  const isOurs = (await statOrNull(join(folder, ROOT_MARKER))) !== null;
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile() && isBlobName(entry.name)) return [path];
      if (!entry.isDirectory() || depth === 0 || isOurs) return [];
      return listIn(path, depth - 1);
    }),
  );
  return found.flat();
}
