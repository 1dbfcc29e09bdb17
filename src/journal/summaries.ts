import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FORMATS, IncompatibleFormat } from '../domain/common/formats.js';
import { type RunSummary, runSummarySchema } from '../domain/report/history.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { listRuns } from '../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { readOwnFile } from './own-file.js';

const FILE = 'summary.json';

/** Writes a summary for later runs into the folder of a run. */
export async function writeRunSummary(runFolder: string, summary: RunSummary): Promise<void> {
  await writeFileAtomic(join(runFolder, FILE), `${JSON.stringify(summary)}\n`);
}

/** Removes the summary of a run that goes on: it is about an earlier part, and a new one comes with the reports. */
export async function removeRunSummary(runFolder: string): Promise<void> {
  await rm(join(runFolder, FILE), { force: true });
}

/** The summaries of the runs that are kept. */
interface KnownRuns {
  /** Oldest first. A run that was killed has no summary. */
  readonly summaries: readonly RunSummary[];
  /** Summaries that an incompatible version wrote. */
  readonly incompatible: readonly IncompatibleFormat[];
}

/** Reads the summaries of all runs that are kept. */
export async function readRunSummaries(root: WorkspaceRoot): Promise<KnownRuns> {
  const runs = await listRuns(root);
  const found = await Promise.all(runs.map(({ path }) => readSummaryFile(path)));
  const summaries = found.flatMap((one) => (one === null || one instanceof IncompatibleFormat ? [] : [one]));
  // Shards that were merged in this folder would count twice.
  const merged = new Set(summaries.flatMap(({ merged_from = [] }) => merged_from));
  return {
    summaries: summaries.filter(({ run_id }) => !merged.has(run_id)),
    incompatible: found.filter((one) => one instanceof IncompatibleFormat),
  };
}

/** Reads the summary of a run; null if there is none that this version can read. History is optional. */
export async function readRunSummary(runFolder: string): Promise<RunSummary | null> {
  const found = await readSummaryFile(runFolder);
  return found instanceof IncompatibleFormat ? null : found;
}

function readSummaryFile(runFolder: string): Promise<RunSummary | IncompatibleFormat | null> {
  return readOwnFile(join(runFolder, FILE), FORMATS.summary, runSummarySchema);
}
