import { KnownError } from '../../../domain/common/known-error.js';
import type { RunCall } from '../../../domain/run-call.js';
import type { Scenario } from '../../../domain/scenario/scenario.js';
import { selectScenarios } from '../../../run/select/select.js';
import { type TakenShard, takeShard } from '../../../run/select/shard.js';

/** Plans the part that a run with the same arguments would take; null without `--shard`. */
export function planShard(catalogue: readonly Scenario[], call: RunCall): TakenShard | null {
  if (call.shard === null) return null;
  if (call.lastFailed)
    throw new KnownError(
      '--list and --last-failed cannot be combined with --shard: what failed is known when Ralph is.',
      {
        hint: 'Leave out --last-failed to see the shards of all tests.',
      },
    );
  return takeShard(selectScenarios(catalogue, call), call.shard, call.lane);
}

/** Refuses shards of two Ralphs at once: each run would replace the blob of the other. */
export function refuseTwoOf(other: string | undefined, { shard }: RunCall): void {
  if (other === undefined || shard === null) return;
  throw new KnownError('--shard and two --ralph cannot be combined: expected one Ralph.', {
    hint: 'Run and merge the shards of each Ralph, then compare: ralph-e2e compare <run> <run>.',
  });
}
