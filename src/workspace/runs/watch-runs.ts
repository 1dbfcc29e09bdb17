import { join } from 'node:path';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import type { WorkspaceRoot } from '../workspace-root.js';
import { listRuns, type RunDir } from './runs.js';

/** Describes which earlier runs somebody changed or removed since, or returns null. */
export type FindChangedRuns = () => Promise<string | null>;

/**
 * Remembers the journals of earlier runs. An agent on the host can reach them, and the next `--last-failed` would believe
 * what it finds there. Nobody can set back the time of the last change of an inode without special rights.
 */
export async function watchRuns(root: WorkspaceRoot, current: RunDir): Promise<FindChangedRuns> {
  const earlier = (await listRuns(root)).filter(({ id }) => id !== current.id);
  const known = await Promise.all(earlier.map(markOf));
  return async () => {
    const now = await Promise.all(earlier.map(markOf));
    const changed = earlier.filter((_, index) => known[index] !== now[index]).map(({ id }) => id);
    return changed.length === 0 ? null : changed.join(', ');
  };
}

async function markOf({ path }: RunDir): Promise<string> {
  const stat = await statOrNull(join(path, 'journal.jsonl'));
  return stat === null ? 'none' : [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ');
}
