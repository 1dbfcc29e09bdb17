import { join } from 'node:path';
import { isKnownError } from '../../domain/common/known-error.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { writeFileAtomic } from '../../exec/files/atomic-write.js';
import { readPlainText } from '../../exec/files/plain-file.js';
import type { WorkspaceRoot } from '../workspace-root.js';

/** The file that names the run whose reports are at the top. */
export const REPORTED_RUN_FILE = '.reported-run';
const MAX_BYTES = 100;

/** Records whose reports are at the top, so that pruning does not delete the run that they refer to. */
export async function noteReportedRun(root: WorkspaceRoot, runId: string): Promise<void> {
  await writeFileAtomic(join(root.path, REPORTED_RUN_FILE), `${runId}\n`);
}

/** Reads the id of the run whose reports are at the top; null if there is none. */
export async function readReportedRun(root: WorkspaceRoot): Promise<string | null> {
  try {
    return (await readPlainText(join(root.path, REPORTED_RUN_FILE), MAX_BYTES)).trim();
  } catch (error) {
    // An agent runs as the same user and can put anything there. Then it names no run.
    if (hasErrorCode(error, 'ENOENT') || isKnownError(error)) return null;
    throw error;
  }
}
