import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findBlobs } from './blob/find.js';
import { splitBlobPath } from './blob/format.js';
import { mergeFinished, mergeStarted, takeRecord } from './blob/merge-records.js';
import { movePaths } from './blob/move-paths.js';
import { notABlob, readBlob } from './blob/read.js';
import { type ReadShard, readShardBlob } from './blob/read-shard.js';
import { requireOneRun } from './blob/require-one-run.js';
import { KnownError } from './domain/common/known-error.js';
import type { JournalEvent } from './domain/journal.js';
import type { ReportFormat } from './domain/report/formats.js';
import type { RunCall } from './domain/run-call.js';
import { makeFolder } from './exec/files/make-folder.js';
import { removeTree } from './exec/files/remove-tree.js';
import { type HarnessResult, writeUp } from './harness.js';
import { type JournalWriter, openJournal } from './journal/writer.js';
import { oneLine } from './report/text/safe-text.js';
import { startRun } from './run/hold-folder.js';
import { recallHistory } from './run/record-run.js';
import { safeRepeatFlags } from './run/repeat-flags.js';
import { acquireLock } from './workspace/lock.js';
import type { RunDir } from './workspace/runs/runs.js';
import { openWorkspaceRoot, type WorkspaceRoot } from './workspace/workspace-root.js';

/** Which blobs to merge, and where the merged run goes. */
interface Merge {
  /** Files, or folders that contain them. */
  readonly blobs: readonly string[];
  /** The folder of runs as the user named it. */
  readonly output: string;
  readonly formats: readonly ReportFormat[];
  readonly program: readonly string[];
  readonly startedIn: string;
}

export interface MergedResult extends HarnessResult {
  readonly records: readonly JournalEvent[];
  /** What the user chose for all shards, if a command line started them. */
  readonly call: RunCall | undefined;
}

/** Merges the shards of a run into one run in the folder, and writes its reports. Writes nothing if they do not fit. */
export async function mergeRuns(merge: Merge): Promise<MergedResult> {
  const shards = await readShards(merge.blobs).catch(tame);
  const root = await openWorkspaceRoot(merge.output);
  const lock = await acquireLock(root);
  try {
    const run = await startRun(root);
    const records = await writeRun(shards, { root, run, merge }).catch(async (error: unknown) => {
      await removeTree(run.path);
      throw error;
    });
    const written = await writeUp({ root, run, records }, merge.formats, {});
    return { ...written, records, call: shards[0]?.started.call };
  } finally {
    lock.release();
  }
}

async function readShards(blobs: readonly string[]): Promise<readonly ReadShard[]> {
  const read: ReadShard[] = [];
  for (const path of await findBlobs(blobs)) read.push(await readShardBlob(path));
  return requireOneRun(read);
}

const LONGEST_MESSAGE = 4_000;

/** Keeps what a blob says from painting the terminal, and from giving commands to a CI system in lines of its own. */
function tame(error: unknown): never {
  if (!(error instanceof KnownError)) throw error;
  const { message, hint, cause } = error;
  throw new KnownError(oneLine(message, LONGEST_MESSAGE), {
    ...(hint === undefined ? {} : { hint: oneLine(hint, LONGEST_MESSAGE) }),
    cause,
  });
}

/** Writes the journal and the files of the merged run. */
async function writeRun(
  shards: readonly ReadShard[],
  { root, run, merge }: { readonly root: WorkspaceRoot; readonly run: RunDir; readonly merge: Merge },
): Promise<readonly JournalEvent[]> {
  const started = mergeStarted(shards, {
    runId: run.id,
    program: [...merge.program],
    repeatWith: shards[0] === undefined ? [] : safeRepeatFlags(shards[0].started, merge.output),
    workspace: root.path,
    startedIn: merge.startedIn,
  });
  const journal = openJournal(run);
  try {
    journal.append(started);
    journal.append(await recallHistory(root, { lane: started.lane, target: started.target, proof: null }));
    const proof = shards.flatMap(({ records }) => records).find(({ type }) => type === 'proof-known');
    if (proof !== undefined) journal.append(proof);
    for (const shard of shards) await copyShard(shard, journal, run);
    journal.append(mergeFinished(shards));
  } finally {
    await journal.close();
  }
  return journal.records;
}

/** Copies the records that count, and the files. */
async function copyShard(shard: ReadShard, journal: JournalWriter, run: RunDir): Promise<void> {
  const { sha256 } = await readBlob(shard.path, {
    record: (event, index) => {
      const record = shard.counted.has(index) ? takeRecord(event, shard) : null;
      if (record !== null) journal.append(movePaths(record, shard.started, run));
    },
    file: async (file, content) => {
      // Somebody may have replaced the blob since it was checked.
      if (splitBlobPath(file.path) === null) throw notABlob(shard.path, 'another file than before');
      const path = join(run.path, file.path);
      await makeFolder(dirname(path));
      await writeFile(path, content, { flag: 'wx' });
    },
  });
  if (sha256 !== shard.sha256) throw notABlob(shard.path, 'another file than before');
}
