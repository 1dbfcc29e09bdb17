import { hasErrorCode } from '../exec/error-code.js';
import { removeWorkspace } from './create-workspace.js';
import { findOwner, listWorkspaces } from './workspace-registry.js';
import type { WorkspaceRoot } from './workspace-root.js';

/** The workspaces in the folder, by name: those of a run, and those of other runs. */
export interface LeftWorkspaces {
  readonly own: string[];
  readonly earlier: string[];
}

/** Removes the workspaces that other runs left, except those that `--keep-workspace` keeps. */
export async function removeLeftWorkspaces(root: WorkspaceRoot, run: string): Promise<void> {
  for (const name of await listWorkspaces(root)) {
    const owner = await findOwner(root, name);
    if (owner === null || owner.run === run || owner.kept === true) continue;
    await removeWorkspace(root, name).catch((error) => {
      // An agent in a container may be another user. What stays is in the report.
      if (!hasErrorCode(error, 'EACCES', 'EPERM', 'EBUSY', 'ENOTEMPTY')) throw error;
    });
  }
}

/** Lists the workspaces that we made and that are still there. */
export async function listLeftWorkspaces(root: WorkspaceRoot, run: string): Promise<LeftWorkspaces> {
  const left: LeftWorkspaces = { own: [], earlier: [] };
  for (const name of (await listWorkspaces(root)).toSorted()) {
    const owner = await findOwner(root, name);
    if (owner !== null) left[owner.run === run ? 'own' : 'earlier'].push(name);
  }
  return left;
}
