import { groupBy } from '../../../domain/common/group-by.js';
import type { JournalEvent } from '../../../domain/journal.js';
import type { Report } from '../../../domain/report/report.js';
import { executionKey } from '../../../domain/vocabulary.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** Describes which part of a run this is; null if it is the whole. */
export function describePart({ shard, planned }: Pick<RunStarted, 'shard' | 'planned'>): Report['shard'] {
  if (shard === undefined) return null;
  const { index, total, plan } = shard;
  return {
    index,
    total,
    tests: planned.length,
    all_tests: plan.length,
  };
}

/** Describes the shards of a merged run; null if it was not merged. */
export function describeMergedShards({ merged }: Pick<RunStarted, 'merged'>): Report['shards'] {
  return (
    merged?.map(({ index, runId, at, tests, durationSeconds, interrupted, resumed }) => ({
      ...{ index, run_id: runId, timestamp: at, tests, duration_seconds: durationSeconds },
      ...{ interrupted, resumed },
    })) ?? null
  );
}

/** Finds backends that did not answer a shard that has no result of its own for that: the run then has no verdict. */
export function findFailedProbes(events: readonly JournalEvent[]): string[] {
  const probes = events.filter((event) => event.type === 'gate-probed');
  const last = [...groupBy(probes, ({ shard, backend }) => executionKey(String(shard), backend)).values()];
  return last.flatMap((group) => {
    const probe = group.at(-1);
    if (probe === undefined || probe.outcome === 'passed' || probe.outcome === 'known-issue') return [];
    const { shard, backend, scenarioId } = probe;
    return [
      `shard ${shard} could not use ${backend}: ${scenarioId} failed when it tried it first, so it ran nothing else there`,
    ];
  });
}
