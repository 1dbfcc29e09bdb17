import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { FAILURE_PAGES, TEST_PAGES } from '../../domain/report/failure-pages.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { writeFileAtomic } from '../../exec/files/atomic-write.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import type { WorkspaceRoot } from '../workspace-root.js';

/** The folders of pages about single tests. */
type PageFolder = typeof FAILURE_PAGES | typeof TEST_PAGES;

/** Renders one page. There can be thousands: each is made when it is written. */
type Page = () => string;

/** Writes the pages of this run into a folder, and removes those of earlier runs. */
export async function writePages(
  root: WorkspaceRoot,
  name: PageFolder,
  pages: ReadonlyMap<string, Page>,
): Promise<void> {
  await removePages(root, name, new Set(pages.keys()));
  if (pages.size === 0) return;
  const folder = join(root.path, name);
  await makeFolder(folder);
  const waiting = pages.entries();
  const write = async () => {
    // A page that a power failure damages can be made again from the journal.
    for (const [file, render] of waiting)
      await writeFileAtomic(join(folder, file), render(), { durable: false });
  };
  await Promise.all(Array.from({ length: 8 }, write));
}

/** Removes all pages of all folders. */
export async function removeAllPages(root: WorkspaceRoot): Promise<string[]> {
  return [...(await removePages(root, FAILURE_PAGES)), ...(await removePages(root, TEST_PAGES))];
}

/** Removes all pages of a folder except those in `keep`, and then the folders if they are empty. */
async function removePages(
  root: WorkspaceRoot,
  name: PageFolder,
  keep: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const folder = join(root.path, name);
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
    removed.push(`${name}/${entry.name}`);
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
