import { join } from 'node:path';
import { isKnownError } from '../../domain/common/known-error.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { writeFileAtomic } from '../../exec/files/atomic-write.js';
import { readPlainText } from '../../exec/files/plain-file.js';
import type { WorkspaceRoot } from '../workspace-root.js';

/** The file that names the run whose reports lie at the top. */
export const REPORTED_RUN_FILE = '.reported-run';
const MAX_BYTES = 100;

/** Notes whose reports lie at the top: what they refer to must not be deleted to make room. */
export async function noteReportedRun(root: WorkspaceRoot, runId: string): Promise<void> {
  await writeFileAtomic(join(root.path, REPORTED_RUN_FILE), `${runId}\n`);
}

/** The id of the run whose reports lie at the top, or null where nobody noted one. */
export async function readReportedRun(root: WorkspaceRoot): Promise<string | null> {
  try {
    return (await readPlainText(join(root.path, REPORTED_RUN_FILE), MAX_BYTES)).trim();
  } catch (error) {
    // An agent that runs as we do can put anything there: it names no run then.
    if (hasErrorCode(error, 'ENOENT') || isKnownError(error)) return null;
    throw error;
  }
}
