import { join } from 'node:path';
import { type RunSummary, runSummarySchema } from '../domain/report/history.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { readPlainText } from '../exec/files/plain-file.js';
import { listRuns } from '../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';

const FILE = 'summary.json';

/** Leaves in the folder of a run what later runs want to know of it. */
export async function writeRunSummary(runFolder: string, summary: RunSummary): Promise<void> {
  await writeFileAtomic(join(runFolder, FILE), `${JSON.stringify(summary)}\n`);
}

/** The summaries of the runs that are kept, oldest first. A run that was killed has none. */
export async function readRunSummaries(root: WorkspaceRoot): Promise<RunSummary[]> {
  const runs = await listRuns(root);
  const summaries = await Promise.all(runs.map(({ path }) => readRunSummary(path)));
  return summaries.filter((summary) => summary !== null);
}

/** What a run left, or null where it left nothing that this version can read: history is a help, not a duty. */
export async function readRunSummary(runFolder: string): Promise<RunSummary | null> {
  try {
    return runSummarySchema.parse(JSON.parse(await readPlainText(join(runFolder, FILE))));
  } catch {
    return null;
  }
}
