import { realpath } from 'node:fs/promises';
import * as z from 'zod';
import { FORMATS, requireReadable } from '../../domain/common/format-version.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { DurationsUsed } from '../../domain/shard.js';
import {
  backendIdSchema,
  executionKey,
  type Lane,
  laneSchema,
  outcomeSchema,
} from '../../domain/vocabulary.js';
import { readPlainText } from '../../exec/files/plain-file.js';

/** How long tests took before, in seconds, by execution key. */
export interface KnownDurations {
  readonly from: DurationsUsed['from'];
  readonly seconds: ReadonlyMap<string, number>;
  /** The tests that could not run. */
  readonly idle: ReadonlySet<string>;
}

const NO_DURATIONS: KnownDurations = { from: 'none', seconds: new Map(), idle: new Set() };

/**
 * Reads the durations that balance the shards from a report. Runs that a machine happens to keep are no source: other
 * machines have others, and would divide the tests differently.
 */
export async function readDurations({
  lane,
  file,
}: {
  readonly lane: Lane;
  readonly file: string | null;
}): Promise<KnownDurations> {
  return file === null ? NO_DURATIONS : findTimes(await readReportFile(file, lane));
}

/** What a report says about the time of a test. */
const timedTestSchema = z.object({
  scenario_id: z.string(),
  backend: backendIdSchema,
  outcome: outcomeSchema,
  duration_seconds: z.number().nonnegative(),
  skip_cause: z.object({ kind: z.string() }).nullish(),
});
type TimedTest = z.infer<typeof timedTestSchema>;

/** How much a test counts that could not run. Enough that not all of them come to one shard. */
const IDLE_SECONDS = 0.1;

/** Takes the time of each test that ran. A failed test probably takes as long again. */
function findTimes(tests: readonly TimedTest[]): KnownDurations {
  const seconds = new Map<string, number>();
  const idle = new Set<string>();
  for (const { scenario_id, backend, outcome, duration_seconds, skip_cause } of tests) {
    const key = executionKey(scenario_id, backend);
    if (skip_cause?.kind === 'not-ready') idle.add(key);
    if (idle.has(key)) seconds.set(key, IDLE_SECONDS);
    else if (outcome !== 'skipped' && outcome !== 'error') seconds.set(key, duration_seconds);
  }
  return { from: 'file', seconds, idle };
}

/** The part of a report that says how long its tests took. */
const timedReportSchema = z.object({
  lane: laneSchema,
  results: z.array(timedTestSchema),
});

async function readReportFile(path: string, lane: Lane): Promise<readonly TimedTest[]> {
  const text = await realpath(path)
    .then((real) => readPlainText(real))
    .catch((error: unknown) => {
      throw notTimed(path, `no readable file: ${messageOf(error)}`);
    });
  const report = parseReport(path, text);
  if (report.lane !== lane)
    throw notTimed(path, `a report of the ${report.lane} lane, and this run is in the ${lane} lane`);
  return report.results;
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
