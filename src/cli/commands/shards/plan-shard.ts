import { KnownError } from '../../../domain/common/known-error.js';
import type { Scenario } from '../../../domain/scenario/scenario.js';
import { type Selection, selectScenarios } from '../../../run/select/select.js';
import { readDurations } from '../../../run/shard/durations.js';
import { takeShard } from '../../../run/shard/take-shard.js';
import { readShardFlags } from '../../input/run-call.js';
import type { RunFlags } from '../../input/run-choices.js';

/** Plans the part that a run with the same arguments would take; null without `--shard`. */
export async function planShard(
  catalogue: readonly Scenario[],
  selection: Selection,
  flags: RunFlags,
): Promise<ReturnType<typeof takeShard> | null> {
  const { shard, durations: file } = readShardFlags(flags);
  if (shard === null) return null;
  if (flags.lastFailed)
    throw new KnownError(
      '--list and --last-failed cannot be combined with --shard: what failed is known when Ralph is.',
      {
        hint: 'Leave out --last-failed to see the shards of all tests.',
      },
    );
  const { lane } = selection;
  const durations = await readDurations({ lane, file });
  return takeShard(selectScenarios(catalogue, selection), shard, durations);
}

/** Refuses shards of two Ralphs at once: each run would replace the blob of the other. */
export function refuseTwoOf(other: string | undefined, { shard }: RunFlags): void {
  if (other === undefined || shard === undefined) return;
  throw new KnownError('--shard and two --ralph cannot be combined: expected one Ralph.', {
    hint: 'Run and merge the shards of each Ralph, then compare: ralph-e2e compare <run> <run>.',
  });
}
