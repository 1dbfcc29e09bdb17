import type { Stats } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../domain/common/json-lines.js';
import { isKnownError, KnownError } from '../domain/common/known-error.js';
import { hasErrorCode } from '../exec/error-code.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { readPlainText } from '../exec/files/plain-file.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import { REGISTRY_FOLDER, type WorkspaceRoot } from './workspace-root.js';

/** Whose workspace it is. */
export interface WorkspaceOwner {
  /** The id of the run that made it. */
  readonly run?: string | undefined;
  /** Later runs leave it where it is. */
  readonly kept?: boolean | undefined;
}

/** A system gives the inode of a folder that was removed to the next one, so the time of its birth counts, too. */
const noteSchema = z.object({
  inode: z.number(),
  born: z.number().optional(),
  run: z.string().optional(),
  kept: z.boolean().optional(),
});
/** Earlier versions wrote only the inode. */
const anyNoteSchema = noteSchema.or(z.number().transform((inode) => noteSchema.parse({ inode })));

/** Records that the folder at `madeAt` is the workspace `name`. Moving it into place later keeps its inode. */
export async function registerWorkspace(
  root: WorkspaceRoot,
  name: string,
  madeAt: string,
  { run, kept }: WorkspaceOwner = {},
): Promise<void> {
  const stat = await statOrNull(madeAt);
  if (stat === null) throw new Error(`expected a folder at ${madeAt}, found nothing`);
  const note = { inode: stat.ino, born: stat.birthtimeMs, run, kept };
  await writeFileAtomic(noteOf(root, name), `${JSON.stringify(note)}\n`);
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
  return (await findOwner(root, name)) !== null;
}

/** Finds whose workspace a folder is; null if it is not the one that we made under this name. */
export async function findOwner(root: WorkspaceRoot, name: string): Promise<WorkspaceOwner | null> {
  const stat = await statOrNull(join(root.path, name));
  if (stat === null || !stat.isDirectory()) return null;
  const note = await readNote(root, name);
  return note !== null && isSameFolder(note, stat) ? note : null;
}

function isSameFolder({ inode, born }: z.infer<typeof noteSchema>, stat: Stats): boolean {
  return inode === stat.ino && (born === undefined || born === stat.birthtimeMs);
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

async function readNote(root: WorkspaceRoot, name: string): Promise<z.infer<typeof noteSchema> | null> {
  try {
    return anyNoteSchema.safeParse(parseJson(await readPlainText(noteOf(root, name)))).data ?? null;
  } catch (error) {
    // An agent runs as the same user and can put anything there. Then it says nothing.
    if (hasErrorCode(error, 'ENOENT') || isKnownError(error)) return null;
    throw error;
  }
}

function noteOf(root: WorkspaceRoot, name: string): string {
  return join(root.path, REGISTRY_FOLDER, name);
}
