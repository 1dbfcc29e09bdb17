import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { choiceOf } from './blob/describe.js';
import { isBlobName, nameBlob } from './blob/format.js';
import { writeBlob } from './blob/write.js';
import type { JournalEvent } from './domain/journal.js';
import type { ShardChoice } from './domain/shard.js';
import { writeFileAtomic } from './exec/files/atomic-write.js';
import type { RunDir } from './workspace/runs/runs.js';
import type { WorkspaceRoot } from './workspace/workspace-root.js';

interface Destination {
  readonly root: WorkspaceRoot;
  readonly run: RunDir;
  /** Do not replace what is at the top: it belongs to another run. */
  readonly keepTop: boolean;
  /** Whether this run has a blob. */
  readonly wanted: boolean;
}

/**
 * Writes the blob of a run next to its journal and, like the reports, at the top, where it replaces that of the previous
 * run. Returns the path that the caller should name.
 */
export async function writeBlobFiles(
  records: readonly JournalEvent[],
  { root, run, keepTop, wanted }: Destination,
): Promise<string[]> {
  const started = records.find((event) => event.type === 'run-started');
  if (started === undefined) return [];
  const choice = choiceOf(started);
  if (!keepTop) await removeBlobs(root, choice);
  if (!wanted) return [];
  const name = nameBlob(choice);
  const kept = join(run.path, name);
  await writeBlob(kept, run, records);
  if (keepTop) return [kept];
  const top = join(root.path, name);
  await writeFileAtomic(top, await readFile(kept));
  return [top];
}

/** Removes the blob of this shard at the top, and those of other numbers of shards. The other shards keep theirs. */
export async function removeBlobs({ path }: WorkspaceRoot, choice: ShardChoice): Promise<void> {
  const siblings = new Set(
    Array.from({ length: choice.total }, (_, at) => at + 1)
      .filter((index) => index !== choice.index)
      .map((index) => nameBlob({ index, total: choice.total })),
  );
  const names = (await readdir(path)).filter((name) => isBlobName(name) && !siblings.has(name));
  await Promise.all(names.map((name) => rm(join(path, name), { force: true })));
}
