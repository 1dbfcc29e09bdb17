import type { Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../exec/error-code.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import { LIMITS } from './limits.js';
import type { Timeline } from './timeline.js';

/** A file whose last change falls into the run. */
export interface WrittenFile {
  readonly path: string;
  readonly text: string;
  readonly at: number;
}

/** Folders whose content nobody wrote by hand, and those that act on whoever runs the draft: git hooks, settings. */
const SKIPPED = new Set(
  '.git .ralph .claude .e2e-tests node_modules target dist build coverage .venv __pycache__ .next'.split(' '),
);

/** Finds what the run wrote by the times of the files: they are those of the run unless somebody copied without them. */
export async function findWritten(
  folder: string,
  reader: WorkspaceReader,
  { began, ended }: Timeline,
  except: ReadonlySet<string>,
): Promise<{ readonly files: readonly WrittenFile[]; readonly gaps: readonly string[] }> {
  const { found, whole } = await listFiles(folder);
  const changed = found
    .filter(({ path, stat }) => !except.has(path) && stat.mtimeMs >= began && stat.mtimeMs <= ended)
    .sort((one, other) => one.stat.mtimeMs - other.stat.mtimeMs || (one.path < other.path ? -1 : 1));
  const files: WrittenFile[] = [];
  const gaps: string[] = [];
  for (const { path, stat } of changed.slice(0, LIMITS.files)) {
    const text = await reader.read(path, LIMITS.fileBytes);
    if (text === null || reader.cut.has(path) || text.includes('\0'))
      gaps.push(`The run wrote ${path} (${stat.size} bytes): too large, or no text.`);
    else files.push({ path, text, at: stat.mtimeMs });
  }
  const more = changed.length - LIMITS.files;
  if (more > 0) gaps.push(`The run wrote ${more} more files.`);
  if (!whole) gaps.push(`The folder has more than ${LIMITS.entries} files: not all were looked at.`);
  if (changed.length === 0)
    gaps.push('No file has a time within the run: either it wrote none, or the times were lost in a copy.');
  return { files, gaps };
}

/** Regular files with their times, folders near the top first; nothing is followed. */
async function listFiles(folder: string): Promise<{
  readonly found: readonly { readonly path: string; readonly stat: Stats }[];
  readonly whole: boolean;
}> {
  const found: { path: string; stat: Stats }[] = [];
  let seen = 0;
  for (let level = ['']; level.length > 0; ) {
    const below: string[] = [];
    for (const parent of level) {
      for (const entry of await listFolder(join(folder, parent))) {
        seen += 1;
        if (seen > LIMITS.entries) return { found, whole: false };
        const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
        if (entry.isDirectory() && !SKIPPED.has(entry.name)) below.push(path);
        const stat = entry.isFile() ? await statOrNull(join(folder, path)) : null;
        if (stat !== null) found.push({ path, stat });
      }
    }
    level = below;
  }
  return { found, whole: true };
}

async function listFolder(path: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return [];
    throw error;
  }
}
