import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FAILURES_FILE } from '../domain/report/failure-pages.js';
import { REPORT_FORMATS } from '../domain/report/formats.js';
import { readPlainText } from '../exec/files/plain-file.js';
import { removeTree } from '../exec/files/remove-tree.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import { removeWorkspace } from './create-workspace.js';
import { isKept, MCP_FOLDER, removeKept } from './kept-by-mcp.js';
import { acquireLock, isLockFile } from './lock.js';
import { removeAllPages, removeIfEmpty } from './runs/pages.js';
import { listRuns, REPORTED_RUN_FILE } from './runs/runs.js';
import { isOwnWorkspace, listWorkspaces } from './workspace-registry.js';
import {
  findWorkspaceRoot,
  REGISTRY_FOLDER,
  REGRADES_FOLDER,
  REPLAYS_FOLDER,
  ROOT_MARKER,
  RUNS_FOLDER,
  readIgnoreFile,
} from './workspace-root.js';

/** What `clean` did; paths are relative to the folder. */
export interface CleanResult {
  readonly removed: readonly string[];
  /** What we did not make and therefore did not touch. The folder stays because of it. */
  readonly left: readonly string[];
  /** Running MCP servers that use the folder: their files stay, too. */
  readonly servers: readonly string[];
}

/** Reports of the latest run, next to the workspaces. */
const REPORT_FILES = [...REPORT_FORMATS.map(({ file }) => file), FAILURES_FILE, 'prove.md', 'prove.json'];
const BLOB_FILE = /^blob-\d+-of-\d+\.ralph-e2e$/;

/** What an interrupted atomic write leaves. */
const TEMPORARY_FILE = /^\..*\.[0-9a-f-]{36}\.tmp$/;

/** Removes everything that we made in the folder at `path`, and the folder itself if nothing else is in it. */
export async function cleanWorkspaceRoot(path: string): Promise<CleanResult> {
  const root = await findWorkspaceRoot(path);
  if (root === null) return { removed: [], left: [], servers: [] };
  const lock = await acquireLock(root);
  const removed: string[] = [];
  try {
    for (const name of await listWorkspaces(root)) {
      if (!(await isOwnWorkspace(root, name))) continue;
      await removeWorkspace(root, name);
      removed.push(name);
    }
    for (const run of await listRuns(root)) {
      await removeTree(run.path);
      removed.push(`${RUNS_FOLDER}/${run.id}`);
    }
    for (const name of await readdir(root.path)) {
      if (![...REPORT_FILES, REPORTED_RUN_FILE].includes(name) && !BLOB_FILE.test(name)) continue;
      await rm(join(root.path, name));
      removed.push(name);
    }
    removed.push(...(await removeAllPages(root)));
    const kept = await removeKept(root);
    removed.push(...kept.removed);
    for (const name of [REPLAYS_FOLDER, REGRADES_FOLDER]) {
      const inner = await cleanWorkspaceRoot(join(root.path, name));
      removed.push(...inner.removed.map((path) => `${name}/${path}`));
    }
    await removeTree(join(root.path, REGISTRY_FOLDER));
    await removeIfEmpty(join(root.path, RUNS_FOLDER));
    const left = await listForeign(root.path);
    if (left.length === 0 && kept.servers.length === 0) await removeTree(root.path);
    return { removed, left, servers: kept.servers };
  } finally {
    lock.release();
  }
}

async function listForeign(rootPath: string): Promise<string[]> {
  const isOurs = (name: string) => name === ROOT_MARKER || isLockFile(name) || TEMPORARY_FILE.test(name);
  const names = (await readdir(rootPath)).filter((name) => !isOurs(name));
  const foreign: string[] = [];
  for (const name of names) {
    const path = join(rootPath, name);
    const stat = await statOrNull(path);
    if (name === '.gitignore' && stat?.isFile() && (await readPlainText(path)) === (await readIgnoreFile()))
      continue;
    if ((name === RUNS_FOLDER || name === MCP_FOLDER) && stat?.isDirectory()) {
      const inside = (await readdir(path)).filter((inner) => name !== MCP_FOLDER || !isKept(inner));
      foreign.push(...inside.map((inner) => `${name}/${inner}`));
    } else foreign.push(name);
  }
  return foreign;
}
