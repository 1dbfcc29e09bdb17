import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { choiceOf } from './blob/describe.js';
import { isBlobName, nameBlob } from './blob/format.js';
import { writeBlob } from './blob/write.js';
import type { JournalEvent } from './domain/journal.js';
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
  if (!keepTop) await removeBlobs(root);
  if (!wanted || started === undefined) return [];
  const name = nameBlob(choiceOf(started));
  const kept = join(run.path, name);
  await writeBlob(kept, run, records);
  if (keepTop) return [kept];
  const top = join(root.path, name);
  await writeFileAtomic(top, await readFile(kept));
  return [top];
}

/** Removes the blobs at the top. */
export async function removeBlobs({ path }: WorkspaceRoot): Promise<void> {
  const names = (await readdir(path)).filter(isBlobName);
  await Promise.all(names.map((name) => rm(join(path, name), { force: true })));
}
