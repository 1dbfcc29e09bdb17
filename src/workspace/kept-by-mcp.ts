import { join } from 'node:path';
import { removeIfEmpty } from './failure-pages.js';
import { removeTree } from './remove-tree.js';
import { statOrNull, type WorkspaceRoot } from './workspace-root.js';

/** Where the MCP server keeps what should outlive it. */
export const MCP_FOLDER = 'mcp';

/** What it keeps there: folders of conversations, what was captured of them, and what was said in them. */
const KEPT_KINDS = ['workspaces', 'artifacts', 'histories'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

/** Removes what the MCP server kept; names it by its path relative to the root. */
export async function removeKept(root: WorkspaceRoot): Promise<string[]> {
  const folder = join(root.path, MCP_FOLDER);
  // A link leads to what is not ours.
  if ((await statOrNull(folder))?.isDirectory() !== true) return [];
  const removed: string[] = [];
  for (const kind of KEPT_KINDS) {
    if ((await statOrNull(join(folder, kind))) === null) continue;
    await removeTree(join(folder, kind));
    removed.push(`${MCP_FOLDER}/${kind}`);
  }
  await removeIfEmpty(folder);
  return removed;
}
