import { lstat, readdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keepFinished } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import { nameAttemptDir, type RunDir } from '../../workspace/runs/runs.js';
import { ANALYSIS_ID } from '../analyst/meta-ralph.js';

/**
 * Removes the folders of attempts that no finished record names. The same attempts run again, and logs that programs
 * append to would contain both.
 */
export async function removeUnfinished(run: RunDir, records: readonly JournalEvent[]): Promise<void> {
  const kept = new Set(
    keepFinished(records).flatMap((event) => ('artifacts' in event ? [event.artifacts] : [])),
  );
  const folders = new Set(records.flatMap((event) => nameFolders(run, event)));
  for (const folder of folders)
    for (const name of await listNames(folder))
      if (!kept.has(join(folder, name))) await removeTree(join(folder, name));
}

/** Names the folders with the attempts of what a record says may have started. */
function nameFolders(run: RunDir, event: JournalEvent): string[] {
  const folderOf = (id: string, backend: string) => dirname(nameAttemptDir(run, id, backend, 1));
  if (event.type === 'analysis-started') return [folderOf(ANALYSIS_ID, event.backend)];
  // A failed test may also have been running once more, with the debug log.
  return event.type === 'attempt-started' ? [folderOf(event.scenarioId, event.backend)] : [];
}

/** A link is removed, and nothing of what it leads to. */
async function listNames(folder: string): Promise<string[]> {
  const found = await lstat(folder).catch(() => null);
  if (found?.isSymbolicLink() === true) await unlink(folder);
  return readdir(folder).catch((error) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
}
