import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../exec/atomic-write.js';
import { statOrNull } from '../exec/stat-or-null.js';
import type { WorkspaceRoot } from './workspace-root.js';

/** The file that names the run whose reports lie at the top. */
export const REPORTED_RUN_FILE = '.reported-run';
const MAX_BYTES = 100;

/** Notes whose reports lie at the top: what they refer to must not be deleted to make room. */
export async function noteReportedRun(root: WorkspaceRoot, runId: string): Promise<void> {
  await writeFileAtomic(join(root.path, REPORTED_RUN_FILE), `${runId}\n`);
}

/** The id of the run whose reports lie at the top, or null where nobody noted one. */
export async function readReportedRun(root: WorkspaceRoot): Promise<string | null> {
  const path = join(root.path, REPORTED_RUN_FILE);
  const stat = await statOrNull(path);
  // An agent that runs as we do can put anything there, a pipe without an end for example.
  if (!stat?.isFile() || stat.size > MAX_BYTES) return null;
  return (await readFile(path, 'utf8')).trim();
}
