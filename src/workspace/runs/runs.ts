import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../exec/files/make-folder.js';
import { replaceFile } from '../../exec/files/plain-file.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { checkPlainName } from '../plain-name.js';
import { RUNS_FOLDER, type WorkspaceRoot } from '../workspace-root.js';
import { readReportedRun } from './reported-run.js';

/** The folder of a run: its journal, and the output and evidence of each attempt, out of the agent's reach. */
export interface RunDir {
  readonly id: string;
  readonly path: string;
}

/** Older ids have only six digits at the end. */
const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{6}(?:[0-9a-f]{3})?$/;
/** Distinguishes our run folders from others with such a name. */
const RUN_MARKER = '.ralph-e2e-run';

/**
 * Creates the folder of a new run. Its id sorts by time, in milliseconds: a short run takes less than a second. The id is
 * also used to find processes on the whole machine, so it ends with random digits that no other run has.
 */
export async function createRunDir(root: WorkspaceRoot, now: Date = new Date()): Promise<RunDir> {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const milliseconds = now.getUTCMilliseconds().toString(16).padStart(3, '0');
  const id = `${time}-${milliseconds}${randomBytes(3).toString('hex')}`;
  const path = join(root.path, RUNS_FOLDER, id);
  await mkdir(path);
  await writeFile(join(path, RUN_MARKER), '');
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
export interface PruneLimits {
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

/** Lists the runs of this folder, oldest first. */
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
