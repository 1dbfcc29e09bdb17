import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isKnownError } from '../../domain/common/known-error.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { writeFileAtomic } from '../../exec/files/atomic-write.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { readPlainText, replaceFile } from '../../exec/files/plain-file.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { checkPlainName } from '../plain-name.js';
import { RUNS_FOLDER, type WorkspaceRoot } from '../workspace-root.js';

/** The folder of a run: its journal, and the output and evidence of each attempt, out of the agent's reach. */
export interface RunDir {
  readonly id: string;
  readonly path: string;
}

/** Older ids have only six digits at the end. */
const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{6}(?:[0-9a-f]{3})?$/;
/** Distinguishes our run folders from others with such a name. */
const RUN_MARKER = '.ralph-e2e-run';
const JOURNAL = 'journal.jsonl';
/** What the marker of a proof says. A proof keeps no journal, so nothing can be shown of it as of a run. */
const PROOF = 'proof\n';

/** What a folder is for: the tests of a run, or the many attempts of a proof. */
type RunKind = 'run' | 'proof';

/**
 * Creates the folder of a new run. Its id sorts by time, in milliseconds: a short run takes less than a second. The id is
 * also used to find processes on the whole machine, so it ends with random digits that no other run has.
 */
export async function createRunDir(
  root: WorkspaceRoot,
  { now = new Date(), kind = 'run' }: { readonly now?: Date; readonly kind?: RunKind } = {},
): Promise<RunDir> {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const milliseconds = now.getUTCMilliseconds().toString(16).padStart(3, '0');
  const id = `${time}-${milliseconds}${randomBytes(3).toString('hex')}`;
  const path = join(root.path, RUNS_FOLDER, id);
  await mkdir(path);
  await writeFile(join(path, RUN_MARKER), kind === 'proof' ? PROOF : '');
  return { id, path };
}

/** Creates the folder of a run again if somebody removed it. */
export async function restoreRunDir({ path }: RunDir): Promise<void> {
  await makeFolder(path);
  await replaceFile(join(path, RUN_MARKER), '');
}

/** Returns the path of an attempt's folder. */
export function nameAttemptDir(
  run: RunDir,
  scenarioId: string,
  backend: string,
  attempt: number | string,
): string {
  checkPlainName(scenarioId, 'scenario');
  checkPlainName(backend, 'backend');
  return join(run.path, `${scenarioId}-${backend}`, String(attempt));
}

/** Returns the path of an attempt's folder, and creates it if necessary. */
export async function attemptDir(...place: Parameters<typeof nameAttemptDir>): Promise<string> {
  const path = nameAttemptDir(...place);
  await makeFolder(path);
  return path;
}

/** How many runs to keep and how large they may be together. */
interface PruneLimits {
  readonly keep?: number;
  readonly maxBytes?: number;
  /** The id of the current run, which is never deleted. */
  readonly current?: string;
}

/** Deletes the oldest runs beyond the limits, except the one whose reports are at the top, and returns their ids. */
export async function pruneRuns(
  root: WorkspaceRoot,
  { keep = 20, maxBytes = 500 * 1024 * 1024, current }: PruneLimits = {},
): Promise<string[]> {
  const spared = new Set([current, await readReportedRun(root)]);
  const removed: string[] = [];
  let count = 0;
  let bytes = 0;
  for (const run of (await listRuns(root)).reverse()) {
    count += 1;
    bytes += await measureTree(run.path);
    if (spared.has(run.id) || (count <= keep && bytes <= maxBytes)) continue;
    await removeTree(run.path);
    removed.push(run.id);
  }
  return removed;
}

/** Lists the runs of tests in this folder, oldest first. Proofs are none, but what has a journal cannot be hidden as one. */
export async function listTestRuns(root: WorkspaceRoot): Promise<RunDir[]> {
  const folders = await listRuns(root);
  const proofs = await Promise.all(folders.map(isProof));
  return folders.filter((_, index) => proofs[index] !== true);
}

async function isProof({ path }: RunDir): Promise<boolean> {
  const text = await readPlainText(join(path, RUN_MARKER), MAX_BYTES).catch((error: unknown) => {
    // What is there in its place says nothing: then it counts as a run.
    if (hasErrorCode(error, 'ENOENT') || isKnownError(error)) return '';
    throw error;
  });
  return text === PROOF && (await statOrNull(join(path, JOURNAL))) === null;
}

/** Lists the folders of runs and proofs, oldest first. */
export async function listRuns(root: WorkspaceRoot): Promise<RunDir[]> {
  const folder = join(root.path, RUNS_FOLDER);
  if (!(await statOrNull(folder))?.isDirectory()) return [];
  const runs: RunDir[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const ours =
      entry.isDirectory() && RUN_ID.test(entry.name) && (await statOrNull(join(path, RUN_MARKER))) !== null;
    if (ours) runs.push({ id: entry.name, path });
  }
  return runs.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function measureTree(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

/** The file that names the run whose reports are at the top. */
export const REPORTED_RUN_FILE = '.reported-run';
const MAX_BYTES = 100;

/** Records whose reports are at the top, so that pruning does not delete the run that they refer to. */
export async function noteReportedRun(root: WorkspaceRoot, runId: string): Promise<void> {
  await writeFileAtomic(join(root.path, REPORTED_RUN_FILE), `${runId}\n`);
}

/** Reads the id of the run whose reports are at the top; null if there is none. */
async function readReportedRun(root: WorkspaceRoot): Promise<string | null> {
  try {
    return (await readPlainText(join(root.path, REPORTED_RUN_FILE), MAX_BYTES)).trim();
  } catch (error) {
    // An agent runs as the same user and can put anything there. Then it names no run.
    if (hasErrorCode(error, 'ENOENT') || isKnownError(error)) return null;
    throw error;
  }
}

/** Describes which earlier runs somebody changed or removed since, or returns null. */
type FindChangedRuns = () => Promise<string | null>;

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
  const stat = await statOrNull(join(path, JOURNAL));
  return stat === null ? 'none' : [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ');
}
