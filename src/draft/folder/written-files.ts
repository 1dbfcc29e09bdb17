import type { Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../exec/error-code.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import { LIMITS } from './limits.js';
import type { Timeline } from './timeline.js';

/** A file that was last changed during the run. */
export interface WrittenFile {
  readonly path: string;
  readonly text: string;
  readonly at: number;
}

/** Folders with generated content, and folders with git hooks or settings, which could affect whoever runs the draft. */
const SKIPPED = new Set(
  '.git .ralph .claude .e2e-tests node_modules target dist build coverage .venv __pycache__ .next'.split(' '),
);

/** Finds the files that the run wrote by their modification times, which a copy may have lost. */
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
      gaps.push(`The run wrote ${path} (${stat.size} bytes), which is too large or not a text file.`);
    else files.push({ path, text, at: stat.mtimeMs });
  }
  const more = changed.length - LIMITS.files;
  if (more > 0) gaps.push(`The run wrote ${more} more files, which the draft drops.`);
  if (!whole)
    gaps.push(
      `The folder has more than ${LIMITS.entries} files, so the draft may miss some that the run wrote.`,
    );
  if (changed.length === 0)
    gaps.push(
      'No file was modified during the run: either it wrote none, or a copy lost the modification times.',
    );
  return { files, gaps };
}

/** Lists regular files with their stats, breadth first, without following links. */
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
