import { FORMATS } from '../domain/common/formats.js';
import type { JournalEvent } from '../domain/journal.js';
import type { Shard, ShardChoice } from '../domain/shard.js';
import type { BlobHeader } from './format.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** Makes the first line of a blob from the records of its run. */
export function describeBlob(records: readonly JournalEvent[]): BlobHeader {
  const started = records.find((event) => event.type === 'run-started');
  if (started === undefined) throw new Error('Expected a run with a first record, found none.');
  const { runId, harnessVersion, lane } = started;
  return {
    blob: 'ralph-e2e',
    format: FORMATS.blob.format,
    ...{ runId, harnessVersion, lane, shard: choiceOf(started) },
    ...(started.shard?.ciRun === undefined ? {} : { ciRun: started.shard.ciRun }),
  };
}

/** A run without `--shard`. */
export const ONLY_SHARD: ShardChoice = { index: 1, total: 1 };

/** Returns which part of a run this is. */
export function choiceOf({ shard }: Pick<RunStarted, 'shard'>): ShardChoice {
  const { index, total } = shard ?? ONLY_SHARD;
  return { index, total };
}

/** Returns the plan of all shards. */
export function planOf({ shard, planned }: Pick<RunStarted, 'shard' | 'planned'>): Shard['plan'] {
  return (
    shard?.plan ??
    planned.map(({ scenarioId, backend, hash }) => ({
      ...{ scenarioId, backend, shard: 1 },
      ...(hash === undefined ? {} : { hash }),
    }))
  );
}
