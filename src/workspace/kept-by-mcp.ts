import { rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { removeTree } from '../exec/files/remove-tree.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import { describeHolder, describeSelf, isHeld, readHolder } from './holder.js';
import { removeIfEmpty } from './runs/pages.js';
import type { WorkspaceRoot } from './workspace-root.js';

/** Where the MCP server keeps files that should outlive it. */
export const MCP_FOLDER = 'mcp';

/** What it keeps there: workspaces of conversations, captured artifacts, and histories. */
const KEPT_KINDS = ['workspaces', 'artifacts', 'histories'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

const IN_USE = /^\.in-use\.\d+$/;

/** Marks the folder as used by this server; there can be several. The mark of a killed server does not count. */
export async function sayInUse(root: WorkspaceRoot): Promise<void> {
  const folder = join(root.path, MCP_FOLDER);
  await makeFolder(folder);
  const path = join(folder, `.in-use.${process.pid}`);
  await writeFileAtomic(path, JSON.stringify(describeSelf()));
  process.once('exit', () => rmSync(path, { force: true }));
}

/** Whether a name in the MCP folder belongs to an MCP server. */
export function isKept(name: string): boolean {
  return IN_USE.test(name) || KEPT_KINDS.some((kind) => kind === name);
}

/** Removes what MCP servers kept and returns the paths relative to the root. If a server still runs, returns it instead. */
export async function removeKept(root: WorkspaceRoot): Promise<{ removed: string[]; servers: string[] }> {
  const folder = join(root.path, MCP_FOLDER);
  // The target of a link is not ours.
  if ((await statOrNull(folder))?.isDirectory() !== true) return { removed: [], servers: [] };
  const users = (await readdir(folder)).filter((name) => IN_USE.test(name)).map((name) => join(folder, name));
  const holders = users.map(readHolder).filter((holder) => holder !== null);
  const servers = holders.filter(isHeld).map(describeHolder);
  if (servers.length > 0) return { removed: [], servers };
  for (const path of users) await rm(path, { force: true });
  const removed: string[] = [];
  for (const kind of KEPT_KINDS) {
    if ((await statOrNull(join(folder, kind))) === null) continue;
    await removeTree(join(folder, kind));
    removed.push(`${MCP_FOLDER}/${kind}`);
  }
  await removeIfEmpty(folder);
  return { removed, servers };
}
