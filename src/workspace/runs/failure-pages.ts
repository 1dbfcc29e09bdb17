import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { FAILURE_PAGES } from '../../domain/report/failure-pages.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { writeFileAtomic } from '../../exec/files/atomic-write.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import type { WorkspaceRoot } from '../workspace-root.js';

/** Writes the pages of this run, removes those of earlier runs, and returns the paths. */
export async function writeFailurePages(
  root: WorkspaceRoot,
  pages: ReadonlyMap<string, string>,
): Promise<string[]> {
  await removeFailurePages(root, new Set(pages.keys()));
  if (pages.size === 0) return [];
  const folder = join(root.path, FAILURE_PAGES);
  await makeFolder(folder);
  const paths: string[] = [];
  for (const [name, text] of pages) {
    const path = join(folder, name);
    await writeFileAtomic(path, text);
    paths.push(path);
  }
  return paths;
}

/** Removes all pages except those in `keep`, and then the folders if they are empty. */
export async function removeFailurePages(
  root: WorkspaceRoot,
  keep: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const folder = join(root.path, FAILURE_PAGES);
  // With a link, we would delete and write elsewhere.
  for (const path of [dirname(folder), folder]) {
    const stat = await statOrNull(path);
    if (stat === null) return [];
    if (!stat.isDirectory())
      throw new KnownError(`Expected a folder at ${path}, found something else.`, {
        hint: 'Remove it, or choose another folder with --output <dir>.',
      });
  }
  const removed: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.md') || keep.has(entry.name)) continue;
    await rm(join(folder, entry.name));
    removed.push(`${FAILURE_PAGES}/${entry.name}`);
  }
  for (const path of [folder, dirname(folder)]) await removeIfEmpty(path);
  return removed;
}

/** Removes a folder, unless something is in it. */
export async function removeIfEmpty(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTEMPTY', 'ENOENT')) throw error;
  }
}
