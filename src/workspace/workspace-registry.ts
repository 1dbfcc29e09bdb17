import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import { hasErrorCode } from '../exec/error-code.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { readPlainText } from '../exec/files/plain-file.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import { REGISTRY_FOLDER, type WorkspaceRoot } from './workspace-root.js';

/** Records that the folder at `madeAt` is the workspace `name`. Moving it into place later keeps its inode. */
export async function registerWorkspace(root: WorkspaceRoot, name: string, madeAt: string): Promise<void> {
  await writeFileAtomic(noteOf(root, name), `${await readInode(madeAt)}\n`);
}

/** Removes the record. */
export async function forgetWorkspace(root: WorkspaceRoot, name: string): Promise<void> {
  await rm(noteOf(root, name), { force: true });
}

/** Lists the workspaces that we made and have not removed. */
export async function listWorkspaces(root: WorkspaceRoot): Promise<string[]> {
  const folder = join(root.path, REGISTRY_FOLDER);
  if (!(await statOrNull(folder))?.isDirectory()) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
}

/** Whether the folder is the one that we made under this name. */
export async function isOwnWorkspace(root: WorkspaceRoot, name: string): Promise<boolean> {
  const stat = await statOrNull(join(root.path, name));
  if (stat === null || !stat.isDirectory()) return false;
  return (await readNote(root, name)) === String(stat.ino);
}

/** Refuses a folder that we did not make, so that it is never deleted. */
export async function requireOwnWorkspace(root: WorkspaceRoot, name: string): Promise<void> {
  if (await isOwnWorkspace(root, name)) return;
  const path = join(root.path, name);
  const stat = await statOrNull(path);
  const found = stat?.isSymbolicLink() ? 'a symbolic link' : stat?.isDirectory() ? 'a folder' : 'a file';
  throw new KnownError(
    `Expected a workspace made by ralph-e2e at ${path}, found ${found} that it did not make.`,
    {
      hint: 'ralph-e2e deletes only what it made. Move or delete it yourself.',
    },
  );
}

async function readNote(root: WorkspaceRoot, name: string): Promise<string | null> {
  try {
    return (await readPlainText(noteOf(root, name))).trim();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function readInode(path: string): Promise<number | undefined> {
  return (await statOrNull(path))?.ino;
}

function noteOf(root: WorkspaceRoot, name: string): string {
  return join(root.path, REGISTRY_FOLDER, name);
}
