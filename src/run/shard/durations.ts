import { realpath } from 'node:fs/promises';
import * as z from 'zod';
import { FORMATS, requireReadable } from '../../domain/common/format-version.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { LATEST_PASSES, median } from '../../domain/report/expectation.js';
import type { RunSummary } from '../../domain/report/history.js';
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

type TimedTest = Pick<
  RunSummary['tests'][number],
  'scenario_id' | 'backend' | 'outcome' | 'duration_seconds'
>;

/** Takes the median of the latest times of each test that ran. A failed test probably takes as long again. */
function findMedians(runs: readonly { readonly tests: readonly TimedTest[] }[]): Map<string, number> {
  const times = new Map<string, number[]>();
  for (const { scenario_id, backend, outcome, duration_seconds } of runs.flatMap(({ tests }) => tests)) {
    if (outcome === 'skipped' || outcome === 'error') continue;
    const key = executionKey(scenario_id, backend);
    times.set(key, [...(times.get(key) ?? []), duration_seconds]);
  }
  return new Map([...times].map(([key, all]) => [key, median(all.slice(-LATEST_PASSES))]));
}

/** The part of a report that says how long its tests took. */
const timedReportSchema = z.object({
  lane: laneSchema,
  results: z.array(
    z.object({
      scenario_id: z.string(),
      backend: backendIdSchema,
      outcome: outcomeSchema,
      duration_seconds: z.number().nonnegative(),
    }),
  ),
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
