import * as z from 'zod';
import type { BackendId } from '../vocabulary.js';

/** How a test of an earlier run stands. A known issue counts as passed: it was there as it is known to be. */
export type Standing = 'passed' | 'failed' | 'not-run';

/** An earlier run, as far as it tells what is still to do. */
export interface PastRun {
  readonly runId: string;
  readonly tests: readonly {
    readonly key: string;
    readonly backend: BackendId;
    readonly standing: Standing;
  }[];
}

/** A test that is still to do: what became of it, and in which run. */
export interface OpenTest {
  readonly runId: string;
  readonly standing: Exclude<Standing, 'passed'>;
}

/** What `--last-failed` chose, run by run, oldest first. */
export const lastFailedSchema = z.object({
  runs: z.array(z.object({ runId: z.string(), failed: z.number(), notRun: z.number() })),
  /** Runs whose journals cannot be read: nobody knows what failed in them. */
  unreadable: z.array(z.string()),
});
export type LastFailed = z.infer<typeof lastFailedSchema>;

/**
 * The tests that failed or did not run in the latest run of each backend. A run of only a part of the tests of the run
 * before it is a re-run: it says how those tests stand now, and leaves the others as they were.
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
  for (const { runId, tests } of runs) {
    const mine = tests.filter((test) => test.backend === backend);
    if (mine.length === 0) continue;
    const isRerun = mine.length < known.size && mine.every(({ key }) => known.has(key));
    const next = new Map(isRerun ? known : []);
    for (const { key, standing } of mine) {
      // A re-run that did not come to a failed test does not take the failure back.
      const stays = isRerun && standing === 'not-run' && known.get(key)?.standing === 'failed';
      if (!stays) next.set(key, { runId, standing });
    }
    known = next;
  }
  return known;
}

/** Counts what was chosen for each run that it comes from, in the order of the runs. */
export function countOpenTests(chosen: readonly OpenTest[]): LastFailed['runs'] {
  const counts = new Map<string, { runId: string; failed: number; notRun: number }>();
  for (const { runId, standing } of chosen.toSorted((a, b) => (a.runId < b.runId ? -1 : 1))) {
    const count = counts.get(runId) ?? { runId, failed: 0, notRun: 0 };
    if (standing === 'failed') count.failed += 1;
    else count.notRun += 1;
    counts.set(runId, count);
  }
  return [...counts.values()];
}
