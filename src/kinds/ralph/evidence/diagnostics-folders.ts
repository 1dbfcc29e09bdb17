import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../../exec/error-code.js';

const DIAGNOSTICS = '.ralph/diagnostics';
/** The clock of a file system may be some milliseconds behind the clock of the machine. */
const CLOCK_SLACK_MS = 50;

/**
 * Lists the diagnostics folders of this run, the newest first, relative to the workspace. Earlier sessions leave their
 * own. Ralph makes two folders if the clock's second changes while it starts.
 */
export async function listDiagnostics(workspace: string, began: Date): Promise<string[]> {
  const path = join(workspace, DIAGNOSTICS);
  try {
    const names = (await readdir(path)).filter((name) => /^\d{4}-\d\d-\d\dT/.test(name)).sort();
    const times = await Promise.all(names.map(async (name) => (await lstat(join(path, name))).mtimeMs));
    return names
      .filter((_, index) => (times[index] ?? 0) >= began.getTime() - CLOCK_SLACK_MS)
      .map((name) => `${DIAGNOSTICS}/${name}`)
      .reverse();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
