import { KnownError } from '../../../domain/common/known-error.js';
import type { Scenario } from '../../../domain/scenario/scenario.js';
import { type Selection, selectScenarios } from '../../../run/select/select.js';
import { takeShard } from '../../../run/shard/take-shard.js';
import { readShard } from '../../input/read-shard.js';
import type { RunFlags } from '../../input/run-choices.js';

/** Plans the part that a run with the same arguments would take; null without `--shard`. */
export function planShard(
  catalogue: readonly Scenario[],
  selection: Selection,
  flags: RunFlags,
): ReturnType<typeof takeShard> | null {
  if (flags.shard === undefined) return null;
  if (flags.lastFailed)
    throw new KnownError(
      '--list and --last-failed cannot be combined with --shard: what failed is known when Ralph is.',
      {
        hint: 'Leave out --last-failed to see the shards of all tests.',
      },
    );
  return takeShard(selectScenarios(catalogue, selection), readShard(flags.shard, process.env));
}

/** Refuses shards of two Ralphs at once: each run would replace the blob of the other. */
export function refuseTwoOf(other: string | undefined, { shard }: RunFlags): void {
  if (other === undefined || shard === undefined) return;
  throw new KnownError('--shard and two --ralph cannot be combined: expected one Ralph.', {
    hint: 'Run and merge the shards of each Ralph, then compare: ralph-e2e compare <run> <run>.',
  });
}
