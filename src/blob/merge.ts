import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isInconclusive } from '../domain/attempt.js';
import { joinParts, sumActiveSeconds } from '../domain/joined-parts.js';
import { handleRecord, type JournalEvent, type RecordHandlers } from '../domain/journal.js';
import { addSpending } from '../domain/money/spending.js';
import { type MergedExecution, mergeAttempts } from '../domain/results/merge-attempts.js';
import type { RunCall } from '../domain/run-call.js';
import type { MergedShard } from '../domain/shard.js';
import { keyOfTest } from '../domain/vocabulary.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { removeTree } from '../exec/files/remove-tree.js';
import { readJournal } from '../journal/reader.js';
import { openJournal } from '../journal/writer.js';
import { startRun } from '../run/hold-folder.js';
import { recallHistory } from '../run/record-run.js';
import type { FinishedRun } from '../run/run-options.js';
import { acquireLock } from '../workspace/lock.js';
import { nameAttemptDir, type RunDir } from '../workspace/runs/runs.js';
import { openWorkspaceRoot } from '../workspace/workspace-root.js';
import { findBlobs } from './files.js';
import { type Merge, type MergePlace, mergeStarted } from './merged-start.js';
import { openShard, type ReadShard, requireOneRun } from './one-run.js';
import { isKeptFile } from './pack.js';

/** Merges the shards of a run into one run in the folder. Writes nothing there if they do not fit. */
export async function mergeRuns<Result>(
  merge: Merge,
  /** Called at the end, before the folder is released, with what the user chose for all shards. */
  finish: (run: FinishedRun, call: RunCall | undefined) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-e2e-merge-'));
  // A second Ctrl-C ends the program at once.
  const sweep = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', sweep);
  try {
    const read: ReadShard[] = [];
    for (const [index, path] of (await findBlobs(merge.blobs)).entries())
      read.push(await openShard(path, join(folder, String(index)), merge.signal));
    const shards = requireOneRun(read);
    const root = await openWorkspaceRoot(merge.output);
    const lock = await acquireLock(root);
    try {
      const run = await startRun(root);
      const records = await joinShards(shards, { root, run, merge }).catch(async (error: unknown) => {
        await removeTree(run.path);
        throw error;
      });
      return await finish({ root, run, records }, shards[0]?.started.call);
    } finally {
      lock.release();
    }
  } finally {
    await removeTree(folder);
    process.off('exit', sweep);
  }
}

/** Joins the journals of the shards, and copies the files that reports link to. */
async function joinShards(shards: readonly ReadShard[], place: MergePlace): Promise<readonly JournalEvent[]> {
  const { root, run } = place;
  const holders = chooseHolders(shards);
  const merged = shards.map((shard) => describeMerged(shard, holders));
  const journal = openJournal(run);
  try {
    const started = mergeStarted(shards, merged, place);
    journal.append(started);
    const { lane, target, planned } = started;
    journal.append(await recallHistory(root, { lane, target, planned, proof: null }));
    const proof = shards.flatMap(({ records }) => records).find(({ type }) => type === 'proof-known');
    if (proof !== undefined) journal.append(proof);
    // What the first pass kept in memory is reduced to what reports need.
    for (const shard of shards)
      for (const event of joinParts((await readJournal(shard.journal)).events)) {
        place.merge.signal?.throwIfAborted();
        const record = takeRecord(event, shard, holders);
        if (record === null) continue;
        journal.append('artifacts' in record ? await moveFiles(record, shard, run) : record);
      }
    journal.append({
      type: 'run-finished',
      at:
        shards
          .map(({ records }) => records.at(-1)?.at ?? '')
          .toSorted()
          .at(-1) ?? '',
      interrupted: merged.some(({ interrupted }) => interrupted),
      // The clocks of several machines cannot be compared.
      durationSeconds: Math.max(0, ...merged.map(({ durationSeconds }) => durationSeconds)),
    });
  } finally {
    await journal.close();
  }
  return journal.records;
}

/** The shard whose result of a test counts, by the key of the test. */
type Holders = ReadonlyMap<string, ReadShard>;

/**
 * Chooses the result of each test that several shards ran, as live shards do with connect scenarios: the worst, so that
 * no failure is lost, and of several the first.
 */
function chooseHolders(shards: readonly ReadShard[]): Holders {
  const holders = new Map<string, { readonly shard: ReadShard; readonly rank: number }>();
  for (const shard of shards)
    for (const result of mergeAttempts(joinParts(shard.records))) {
      const [key, rank] = [keyOfTest(result), rankOf(result)];
      const held = holders.get(key);
      if (held === undefined || rank < held.rank) holders.set(key, { shard, rank });
    }
  return new Map([...holders].map(([key, { shard }]) => [key, shard]));
}

/** Ranks the result of a whole test, with all its attempts. The worst is 0. */
function rankOf({ outcome, decisive, skipCause }: MergedExecution): number {
  switch (outcome) {
    case 'failed':
      return decisive !== null && isInconclusive(decisive) ? 1 : 0;
    case 'error':
      return 2;
    case 'flaky':
      return 3;
    case 'known-issue':
      return 4;
    case 'passed':
      return 5;
    case 'skipped':
      // The reason of a shard that had one says more than that another never came to the test.
      return skipCause?.kind === 'run-ended' ? 7 : 6;
  }
}

/** Returns the record of a shard as the merged run has it; null if the merged run has its own, or none. */
function takeRecord(event: JournalEvent, shard: ReadShard, holders: Holders): JournalEvent | null {
  const isHeld = (own: Parameters<typeof keyOfTest>[0]) => (holders.get(keyOfTest(own)) ?? shard) === shard;
  const takeTest = <Own extends JournalEvent & Parameters<typeof keyOfTest>[0]>(own: Own) =>
    isHeld(own) ? own : null;
  const nothing = () => null;
  const handlers: RecordHandlers<JournalEvent | null> = {
    'run-started': nothing,
    'run-resumed': nothing,
    'run-finished': nothing,
    'history-known': nothing,
    'proof-known': nothing,
    'journal-changed': (own) => ({
      ...own,
      found: `${own.found} (shard ${shard.choice.index} of ${shard.choice.total})`,
    }),
    'scenario-skipped': takeTest,
    'attempt-started': takeTest,
    'attempt-finished': takeTest,
    'cause-examined': takeTest,
    'baseline-finished': takeTest,
    'analysis-started': (own) => own,
    'analysis-finished': (own) => own,
  };
  return handleRecord(event, handlers) ?? null;
}

type WithFolder = Extract<JournalEvent, { artifacts: string }>;

/**
 * Copies the files of an attempt that were packed, and returns its record with their new place. The record names folders
 * of another machine: only the last part counts, the name of the attempt. Workspaces stay where they were made.
 */
async function moveFiles<Event extends WithFolder>(
  event: Event,
  { folder, started }: ReadShard,
  run: RunDir,
): Promise<Event> {
  const { scenarioId, backend } = event;
  const name = basename(event.artifacts);
  const artifacts = nameAttemptDir(run, scenarioId, backend, name);
  const from = nameAttemptDir({ id: started.runId, path: folder }, scenarioId, backend, name);
  const test = `${scenarioId}-${backend}/${name}`;
  // Nothing was packed of an attempt that left nothing.
  const paths = await readdir(from, { recursive: true }).catch(() => []);
  for (const path of paths.filter((path) => isKeptFile(`${test}/${path}`))) {
    await makeFolder(dirname(join(artifacts, path)));
    await copyFile(join(from, path), join(artifacts, path));
  }
  if (event.type !== 'attempt-finished') return { ...event, artifacts };
  const move = (path: string, usual: string) => {
    const own = path.startsWith(`${event.artifacts}/`) ? path.slice(event.artifacts.length + 1) : '';
    return join(artifacts, isKeptFile(`${test}/${own}`) ? own : usual);
  };
  const evidence = event.evidence && {
    ...event.evidence,
    stdout: { ...event.evidence.stdout, path: move(event.evidence.stdout.path, 'stdout.txt') },
    stderr: { ...event.evidence.stderr, path: move(event.evidence.stderr.path, 'stderr.txt') },
  };
  return { ...event, artifacts, evidence, workspace: null };
}

function describeMerged(shard: ReadShard, holders: Holders): MergedShard {
  const { choice, started, records } = shard;
  const finished = records.findLast((event) => event.type === 'run-finished');
  const counted = new Set(
    joinParts(records).filter(
      (event) => event.type === 'attempt-finished' && holders.get(keyOfTest(event)) === shard,
    ),
  );
  const uncounted = records.flatMap((event) =>
    event.type === 'attempt-finished' && !counted.has(event) && event.spending ? [event.spending] : [],
  );
  return {
    index: choice.index,
    runId: started.runId,
    at: started.at,
    tests: started.planned.length,
    durationSeconds: finished?.durationSeconds ?? sumActiveSeconds(records),
    interrupted: finished === undefined || finished.interrupted,
    resumed: records.filter(({ type }) => type === 'run-resumed').length,
    ...(uncounted.length === 0 ? {} : { uncounted: addSpending(uncounted) }),
  };
}
