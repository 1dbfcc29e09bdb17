import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import type { JournalEvent } from '../domain/journal.js';
import { choiceOf, type ShardChoice } from '../domain/shard.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import type { RunDir } from '../workspace/runs/runs.js';
import { ROOT_MARKER, type WorkspaceRoot } from '../workspace/workspace-root.js';
import { packRun } from './pack.js';

/** Names the file of a shard. Files of several machines must fit into one folder. */
export function nameBlob({ index, total }: ShardChoice): string {
  return `blob-${index}-of-${total}.ralph-e2e`;
}

function isBlobName(name: string): boolean {
  return /^blob-\d{1,6}-of-\d{1,6}\.ralph-e2e$/.test(name);
}

/**
 * Writes the blob of a run next to its journal and, like the reports, at the top, where it replaces that of the previous
 * run. `keepTop` leaves what is there, because it belongs to another run. Returns the path that the caller should name.
 */
export async function writeBlobFiles(
  records: readonly JournalEvent[],
  {
    root,
    run,
    keepTop,
    wanted,
  }: {
    readonly root: WorkspaceRoot;
    readonly run: RunDir;
    readonly keepTop: boolean;
    readonly wanted: boolean;
  },
): Promise<string[]> {
  const started = records.find((event) => event.type === 'run-started');
  if (started === undefined) return [];
  const choice = choiceOf(started);
  if (!keepTop) await removeBlobs(root, choice);
  if (!wanted) return [];
  const name = nameBlob(choice);
  const kept = join(run.path, name);
  await packRun(kept, run, records);
  if (keepTop) return [kept];
  const top = join(root.path, name);
  await writeFileAtomic(top, await readFile(kept));
  return [top];
}

/** Removes the blob of this shard at the top, and those of other numbers of shards. The other shards keep theirs. */
export async function removeBlobs({ path }: WorkspaceRoot, { index, total }: ShardChoice): Promise<void> {
  const siblings = new Set(Array.from({ length: total }, (_, at) => nameBlob({ index: at + 1, total })));
  siblings.delete(nameBlob({ index, total }));
  const names = (await readdir(path)).filter((name) => isBlobName(name) && !siblings.has(name));
  await Promise.all(names.map((name) => rm(join(path, name), { force: true })));
}

/** Downloaded artifacts are in a folder each, sometimes within another. */
const DEEPEST = 4;

/** Lists the blobs that the user named: files, and those in folders. */
export async function findBlobs(named: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    named.map(async (path) => {
      const isFolder = await stat(path).then(
        (there) => there.isDirectory(),
        () => false,
      );
      if (!isFolder) return [path];
      const inside = await listIn(path, DEEPEST);
      if (inside.length > 0) return inside;
      throw new KnownError(`${path}: expected a folder with blobs, found none in it.`, {
        hint: 'Each shard writes one with --report blob, such as .e2e-tests/blob-1-of-4.ralph-e2e.',
      });
    }),
  );
  return [...new Set(found.flat())];
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
