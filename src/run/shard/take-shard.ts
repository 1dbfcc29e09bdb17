import type { Shard, ShardChoice } from '../../domain/shard.js';
import { executionKey } from '../../domain/vocabulary.js';
import type { Selected } from '../select/selected.js';

/** The tests of one shard, and the plan of all. */
interface TakenShard {
  readonly part: readonly Selected[];
  readonly shard: Shard;
}

/** Takes every n-th of the selected tests, sorted by name. With the same tests, every machine plans the same parts. */
export function takeShard(whole: readonly Selected[], { index, total }: ShardChoice): TakenShard {
  const names = whole.map(keyOf).sort();
  const shards = new Map(names.map((name, place) => [name, (place % total) + 1]));
  const shardOf = (job: Selected) => shards.get(keyOf(job)) ?? 1;
  return {
    part: whole.filter((job) => shardOf(job) === index),
    shard: {
      index,
      total,
      plan: whole.map((job) => ({ scenarioId: job.scenario.id, backend: job.backend, shard: shardOf(job) })),
    },
  };
}

function keyOf({ scenario, backend }: Selected): string {
  return executionKey(scenario.id, backend);
}
