import * as z from 'zod';
import type { BackendId } from '../vocabulary.js';

/**
 * The state of a test in an earlier run. A known issue counts as passed: it behaved as known. `inconclusive` means that
 * it failed through the agent or its service.
 */
export type Standing = 'passed' | 'failed' | 'inconclusive' | 'not-run';

/** An earlier run, reduced to the state of its tests. */
export interface PastRun {
  readonly runId: string;
  /** Whether it is a shard: it says nothing about the tests of the others. */
  readonly isPart?: boolean;
  readonly tests: readonly {
    readonly key: string;
    readonly backend: BackendId;
    readonly standing: Standing;
  }[];
}

/** A test that failed or did not run, and in which run. */
export interface OpenTest {
  readonly runId: string;
  readonly standing: Exclude<Standing, 'passed'>;
}

/** What `--last-failed` selected, run by run, oldest first. */
export const lastFailedSchema = z.object({
  runs: z.array(
    z.object({
      runId: z.string(),
      failed: z.number(),
      inconclusive: z.number(),
      notRun: z.number(),
    }),
  ),
  /** Runs whose journals cannot be read, so their failures are unknown. */
  unreadable: z.array(z.string()),
});
export type LastFailed = z.infer<typeof lastFailedSchema>;

/**
 * Finds the tests that failed or did not run in the latest run of each backend. A run with only some of the tests of the
 * run before it is a re-run, and so is a shard: it updates the state of those tests and leaves the others as they were.
 */
export function findOpenTests(runs: readonly PastRun[]): Map<string, OpenTest> {
  const backends = new Set(runs.flatMap(({ tests }) => tests.map(({ backend }) => backend)));
  const open = new Map<string, OpenTest>();
  for (const backend of backends) {
    for (const [key, { runId, standing }] of followRuns(runs, backend)) {
      if (standing !== 'passed') open.set(key, { runId, standing });
    }
  }
  return open;
}

type Known = ReadonlyMap<string, { readonly runId: string; readonly standing: Standing }>;

function followRuns(runs: readonly PastRun[], backend: BackendId): Known {
  let known: Known = new Map();
  for (const { runId, isPart = false, tests } of runs) {
    const mine = tests.filter((test) => test.backend === backend);
    if (mine.length === 0) continue;
    const isRerun = isPart || (mine.length < known.size && mine.every(({ key }) => known.has(key)));
    const next = new Map(isRerun ? known : []);
    for (const { key, standing } of mine) {
      // A re-run that says nothing about a failed test does not clear the failure.
      const silent = standing === 'not-run' || standing === 'inconclusive';
      const stays = isRerun && silent && known.get(key)?.standing === 'failed';
      if (!stays) next.set(key, { runId, standing });
    }
    known = next;
  }
  return known;
}

/** Counts the selected tests of each run, in the order of the runs. */
export function countOpenTests(chosen: readonly OpenTest[]): LastFailed['runs'] {
  const counts = new Map<string, { runId: string; failed: number; inconclusive: number; notRun: number }>();
  for (const { runId, standing } of chosen.toSorted((a, b) => (a.runId < b.runId ? -1 : 1))) {
    const count = counts.get(runId) ?? { runId, failed: 0, inconclusive: 0, notRun: 0 };
    if (standing === 'failed') count.failed += 1;
    else if (standing === 'inconclusive') count.inconclusive += 1;
    else count.notRun += 1;
    counts.set(runId, count);
  }
  return [...counts.values()];
}
