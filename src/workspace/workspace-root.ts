import type { Stats } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { makeChosenFolder } from '../exec/files/make-folder.js';
import { packageRoot } from '../exec/files/package-root.js';
import { statOrNull } from '../exec/files/stat-or-null.js';

/** The folder that holds everything a run makes, `.e2e-tests/` by default. `path` is absolute and free of links. */
export interface WorkspaceRoot {
  readonly path: string;
}

/** The file by which we know that a folder is ours: only in such a folder do we ever delete. */
export const ROOT_MARKER = '.ralph-e2e';
/** Where we note which workspaces are ours. */
export const REGISTRY_FOLDER = '.workspaces';
export const RUNS_FOLDER = 'runs';

const MARKER_TEXT =
  'ralph-e2e made this folder and may delete what it made here. `ralph-e2e clean` removes it.\n';

const CHOOSE_ANOTHER = 'choose a folder that you may write to with --output <dir>';

/** Opens the folder at `path` (the folder itself, not its parent), and makes it when it is not there. */
export async function openWorkspaceRoot(path: string): Promise<WorkspaceRoot> {
  const absolute = resolve(path);
  await makeChosenFolder(dirname(absolute), CHOOSE_ANOTHER);
  // Links above are the user's business; resolved once, nobody can redirect us later by changing one.
  const root = { path: join(await realpath(dirname(absolute)), basename(absolute)) };
  await refuseUnlessFolder(root.path);
  await makeChosenFolder(root.path, CHOOSE_ANOTHER);
  await refuseUnlessOurs(root.path);
  await writeFileAtomic(join(root.path, ROOT_MARKER), MARKER_TEXT);
  await writeFileAtomic(join(root.path, '.gitignore'), await readIgnoreFile());
  for (const name of [REGISTRY_FOLDER, RUNS_FOLDER]) {
    await refuseUnlessFolder(join(root.path, name));
    await makeChosenFolder(join(root.path, name), CHOOSE_ANOTHER);
  }
  return root;
}

/** The folder at `path` if it is one of ours, null when there is none; throws for a folder of somebody else. */
export async function findWorkspaceRoot(path: string): Promise<WorkspaceRoot | null> {
  const absolute = resolve(path);
  if ((await statOrNull(absolute)) === null) return null;
  const root = { path: join(await realpath(dirname(absolute)), basename(absolute)) };
  await refuseUnlessFolder(root.path);
  await refuseUnlessOurs(root.path);
  // An empty folder may become ours, but it is not yet.
  return (await statOrNull(join(root.path, ROOT_MARKER))) === null ? null : root;
}

/** The ignore file that keeps everything in the folder out of any repo around it. */
export function readIgnoreFile(): Promise<string> {
  return readFile(join(packageRoot(), '.e2e-tests.gitignore'), 'utf8');
}

async function refuseUnlessFolder(path: string): Promise<void> {
  const stat = await statOrNull(path);
  if (stat === null || stat.isDirectory()) return;
  const found = describeFound(stat);
  throw new KnownError(`expected a folder at ${path}, found ${found}`, {
    hint: `${found === 'a device' ? '' : 'remove it, or '}choose another folder with --output <dir>`,
  });
}

function describeFound(stat: Stats): string {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  return stat.isCharacterDevice() || stat.isBlockDevice() ? 'a device' : 'a file';
}

async function refuseUnlessOurs(path: string): Promise<void> {
  const names = await readdir(path);
  if (names.length === 0 || names.includes(ROOT_MARKER)) return;
  throw new KnownError(
    `${path} holds ${describeNames(names)} and was not made by ralph-e2e, which deletes in it`,
    {
      hint: 'choose another folder with --output <dir>, or empty this one',
    },
  );
}

function describeNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
