import { realpath } from 'node:fs/promises';
import * as z from 'zod';
import { FORMATS, requireReadable } from '../../domain/common/format-version.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { LATEST_PASSES, median } from '../../domain/report/expectation.js';
import type { DurationsUsed } from '../../domain/shard.js';
import {
  backendIdSchema,
  executionKey,
  type Lane,
  laneSchema,
  outcomeSchema,
} from '../../domain/vocabulary.js';
import { readPlainText } from '../../exec/files/plain-file.js';
import { readRunSummaries } from '../../journal/summaries.js';
import type { WorkspaceRoot } from '../../workspace/workspace-root.js';

/** How long tests took before, in seconds, by execution key. */
export interface KnownDurations {
  readonly from: DurationsUsed['from'];
  readonly seconds: ReadonlyMap<string, number>;
}

/** Reads the durations that balance the shards: from a report, or from the runs that are kept in the folder. */
export async function readDurations(
  root: WorkspaceRoot | null,
  { lane, file }: { readonly lane: Lane; readonly file: string | null },
): Promise<KnownDurations> {
  if (file !== null) return { from: 'file', seconds: findMedians([await readReportFile(file, lane)]) };
  const { summaries } = root === null ? { summaries: [] } : await readRunSummaries(root);
  const seconds = findMedians(summaries.filter((run) => run.lane === lane));
  return { from: seconds.size === 0 ? 'none' : 'history', seconds };
}

/** What a report or a summary says about the time of a test. */
const timedTestSchema = z.object({
  scenario_id: z.string(),
  backend: backendIdSchema,
  outcome: outcomeSchema,
  duration_seconds: z.number().nonnegative(),
  skip_cause: z.object({ kind: z.string() }).nullish(),
});
type TimedTest = z.infer<typeof timedTestSchema>;

/** How much a test counts that could not run last time. Enough that not all of them come to one shard. */
export const IDLE_SECONDS = 0.1;

/** Takes the median of the latest times of each test that ran. A failed test probably takes as long again. */
function findMedians(runs: readonly { readonly tests: readonly TimedTest[] }[]): Map<string, number> {
  const times = new Map<string, number[]>();
  const idle = new Set<string>();
  for (const test of runs.flatMap(({ tests }) => tests)) {
    const key = executionKey(test.scenario_id, test.backend);
    if (test.skip_cause?.kind === 'not-ready') idle.add(key);
    if (test.outcome === 'skipped' || test.outcome === 'error') continue;
    idle.delete(key);
    times.set(key, [...(times.get(key) ?? []), test.duration_seconds]);
  }
  const medians = [...times].map(([key, all]) => [key, median(all.slice(-LATEST_PASSES))] as const);
  return new Map([...medians, ...[...idle].map((key) => [key, IDLE_SECONDS] as const)]);
}

/** The part of a report that says how long its tests took. */
const timedReportSchema = z.object({
  lane: laneSchema,
  results: z.array(timedTestSchema),
});

async function readReportFile(path: string, lane: Lane): Promise<{ readonly tests: readonly TimedTest[] }> {
  const text = await realpath(path)
    .then((real) => readPlainText(real))
    .catch((error: unknown) => {
      throw notTimed(path, `no readable file: ${messageOf(error)}`);
    });
  const report = parseReport(path, text);
  if (report.lane !== lane)
    throw notTimed(path, `a report of the ${report.lane} lane, and this run is in the ${lane} lane`);
  return { tests: report.results };
}

function parseReport(path: string, text: string): z.infer<typeof timedReportSchema> {
  try {
    const data: unknown = JSON.parse(text);
    requireReadable(data, FORMATS.report, path);
    return timedReportSchema.parse(data);
  } catch (error) {
    if (error instanceof KnownError) throw error;
    throw notTimed(path, 'something else');
  }
}

function notTimed(path: string, found: string): KnownError {
  return new KnownError(`--durations ${path}: expected a report.json of an earlier run, found ${found}.`, {
    hint: 'Give every machine the same report.json, such as that of the latest run on main.',
  });
}
