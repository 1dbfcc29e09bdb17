import { createHash } from 'node:crypto';
import { median } from '../../domain/report/expectation.js';
import type { Shard, ShardChoice } from '../../domain/shard.js';
import { executionKey } from '../../domain/vocabulary.js';
import type { Selected } from '../select/selected.js';
import type { KnownDurations } from './durations.js';
import { partition } from './partition.js';

/** The tests of one shard, and the plan of all. */
interface TakenShard {
  readonly part: readonly Selected[];
  readonly shard: Shard;
}

/** Takes one part of the selected tests. With the same tests and durations, every machine plans the same parts. */
export function takeShard(
  whole: readonly Selected[],
  { index, total }: ShardChoice,
  durations: KnownDurations,
): TakenShard {
  const known = whole.flatMap((job) => {
    const seconds = durations.seconds.get(keyOf(job));
    return seconds === undefined ? [] : [{ key: keyOf(job), seconds }];
  });
  // Without any duration, tests count.
  const measured = known.flatMap(({ key, seconds }) => (durations.idle.has(key) ? [] : [seconds]));
  const usual = measured.length === 0 ? 1 : median(measured);
  const secondsOf = (job: Selected) => durations.seconds.get(keyOf(job)) ?? usual;
  const shards = partition(
    whole.map((job) => ({ key: keyOf(job), seconds: secondsOf(job) })),
    total,
  );
  const shardOf = (job: Selected) => shards.get(keyOf(job)) ?? 1;
  return {
    part: whole.filter((job) => shardOf(job) === index),
    shard: {
      index,
      total,
      durations: {
        from: known.length === 0 ? 'none' : durations.from,
        known: known.length,
        sha256: hashDurations(known),
      },
      plan: whole.map((job) => ({
        ...{ scenarioId: job.scenario.id, backend: job.backend },
        ...{ shard: shardOf(job), seconds: secondsOf(job) },
      })),
    },
  };
}

function keyOf({ scenario, backend }: Selected): string {
  return executionKey(scenario.id, backend);
}

function hashDurations(known: readonly { readonly key: string; readonly seconds: number }[]): string {
  const sorted = known
    .map(({ key, seconds }) => [key, seconds] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}
