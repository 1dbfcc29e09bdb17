import type { Stats } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { makeChosenFolder } from '../exec/files/make-folder.js';
import { packageRoot } from '../exec/files/package-root.js';
import { statOrNull } from '../exec/files/stat-or-null.js';

/** The folder for everything that runs write, `.e2e-tests/` by default. `path` is absolute and contains no links. */
export interface WorkspaceRoot {
  readonly path: string;
}

/** Marks a folder as ours. We delete only in such a folder. */
export const ROOT_MARKER = '.ralph-e2e';
/** Records which workspaces are ours. */
export const REGISTRY_FOLDER = '.workspaces';
export const RUNS_FOLDER = 'runs';

/** Folders in the folder: they have runs of their own, which never pass for those of the folder itself. */
export const REPLAYS_FOLDER = 'replays';
export const REGRADES_FOLDER = 'regrades';

const MARKER_TEXT =
  'ralph-e2e made this folder and may delete what it made here. `ralph-e2e clean` removes it.\n';

const CHOOSE_ANOTHER = 'Choose a writable folder with --output <dir>.';

/** Opens the folder at `path` (the folder itself, not its parent), and creates it if it does not exist. */
export async function openWorkspaceRoot(path: string): Promise<WorkspaceRoot> {
  const absolute = resolve(path);
  await makeChosenFolder(dirname(absolute), CHOOSE_ANOTHER);
  // The user may have links above. They are resolved once, so that nobody can redirect us later by changing one.
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

/** Finds the folder at `path` if it is ours; null if there is none. Throws if it belongs to somebody else. */
export async function findWorkspaceRoot(path: string): Promise<WorkspaceRoot | null> {
  const absolute = resolve(path);
  if ((await statOrNull(absolute)) === null) return null;
  const root = { path: join(await realpath(dirname(absolute)), basename(absolute)) };
  await refuseUnlessFolder(root.path);
  await refuseUnlessOurs(root.path);
  // An empty folder may become ours, but is not ours yet.
  return (await statOrNull(join(root.path, ROOT_MARKER))) === null ? null : root;
}

/** Reads the ignore file that keeps the folder out of any surrounding repo. */
export function readIgnoreFile(): Promise<string> {
  return readFile(join(packageRoot(), '.e2e-tests.gitignore'), 'utf8');
}

async function refuseUnlessFolder(path: string): Promise<void> {
  const stat = await statOrNull(path);
  if (stat === null || stat.isDirectory()) return;
  const found = describeFound(stat);
  throw new KnownError(`Expected a folder at ${path}, found ${found}.`, {
    hint: `${found === 'a device' ? 'Choose' : 'Remove it, or choose'} another folder with --output <dir>.`,
  });
}

function describeFound(stat: Stats): string {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  return stat.isCharacterDevice() || stat.isBlockDevice() ? 'a device' : 'a file';
}

async function refuseUnlessOurs(path: string): Promise<void> {
  const names = await readdir(path);
  if (names.length === 0 || names.includes(ROOT_MARKER)) return;
  throw new KnownError(`${path} is not a folder that ralph-e2e made: it contains ${describeNames(names)}.`, {
    hint: 'ralph-e2e deletes files in its folder. Choose another one with --output <dir>, or empty this one.',
  });
}

function describeNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
