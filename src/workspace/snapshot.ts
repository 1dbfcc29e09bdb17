import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../exec/error-code.js';

/** A file of a workspace. */
interface FileEntry {
  /** Relative to the workspace, separated by slashes. */
  readonly path: string;
  readonly kind: 'file' | 'symlink' | 'other';
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** Hexadecimal; null if the file is too large to hash, cannot be read, or is not a regular file. */
  readonly sha256: string | null;
  /** The target of a symbolic link, which is never followed. */
  readonly target?: string;
  readonly mtimeMs: number;
}

/** The files of a workspace at one moment, sorted by path. */
export interface Snapshot {
  readonly files: readonly FileEntry[];
  /** Whether there were more files than we list. */
  readonly truncated: boolean;
}

/** What changed between two snapshots. */
export interface SnapshotDiff {
  readonly added: readonly FileEntry[];
  readonly modified: readonly { readonly before: FileEntry; readonly after: FileEntry }[];
  readonly deleted: readonly FileEntry[];
  /** Whether one of the snapshots is incomplete, so that the lists may be, too. */
  readonly truncated: boolean;
}

/** A file and how it changed. */
export interface FileChange {
  readonly path: string;
  readonly size: number;
  readonly change: 'added' | 'modified' | 'deleted' | 'unchanged';
}

const MAX_FILES = 5_000;
const MAX_FOLDERS = 20_000;
const MAX_HASHED_BYTES = 256 * 1024 * 1024;

/** Lists the files of a workspace except git's own, up to a limit. Folders near the top come first. */
export async function snapshotFiles(
  workspacePath: string,
  { maxFiles = MAX_FILES }: { maxFiles?: number } = {},
): Promise<Snapshot> {
  const files: FileEntry[] = [];
  let folders = 0;
  // Level by level, so that one deep folder (node_modules) does not crowd out its siblings.
  for (let level = ['']; level.length > 0; ) {
    const below: string[] = [];
    for (const folder of level) {
      for (const entry of await listFolder(join(workspacePath, folder))) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.name === '.git') continue;
        if (entry.isDirectory()) {
          folders += 1;
          below.push(path);
          continue;
        }
        if (files.length >= maxFiles) return { files: sortByPath(files), truncated: true };
        const file = await readEntry(workspacePath, path);
        if (file) files.push(file);
      }
    }
    if (folders > MAX_FOLDERS) return { files: sortByPath(files), truncated: true };
    level = below;
  }
  return { files: sortByPath(files), truncated: false };
}

/** Compares two snapshots of the same workspace. */
export function diffSnapshots(before: Snapshot, after: Snapshot): SnapshotDiff {
  const old = new Map(before.files.map((file) => [file.path, file]));
  const now = new Map(after.files.map((file) => [file.path, file]));
  return {
    added: after.files.filter(({ path }) => !old.has(path)),
    modified: after.files.flatMap((file) => {
      const earlier = old.get(file.path);
      return earlier && !isSameFile(earlier, file) ? [{ before: earlier, after: file }] : [];
    }),
    deleted: before.files.filter(({ path }) => !now.has(path)),
    truncated: before.truncated || after.truncated,
  };
}

/** Lists how each file changed between two snapshots. */
export function listChanges(before: Snapshot, after: Snapshot): FileChange[] {
  const diff = diffSnapshots(before, after);
  const added = new Set(diff.added.map(({ path }) => path));
  const modified = new Set(diff.modified.map((change) => change.after.path));
  const changeOf = (path: string): FileChange['change'] =>
    added.has(path) ? 'added' : modified.has(path) ? 'modified' : 'unchanged';
  return [
    ...after.files.map(({ path, size }) => ({ path, size, change: changeOf(path) })),
    ...diff.deleted.map(({ path, size }) => ({ path, size, change: 'deleted' as const })),
  ];
}

function isSameFile(a: FileEntry, b: FileEntry): boolean {
  if (a.kind !== b.kind || a.size !== b.size || a.mode !== b.mode || a.target !== b.target) return false;
  // Without a hash, compare the modification times.
  return a.sha256 === null || b.sha256 === null ? a.mtimeMs === b.mtimeMs : a.sha256 === b.sha256;
}

async function listFolder(path: string) {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    return ignoreIfUnreachable(error, []);
  }
}

async function readEntry(workspacePath: string, path: string): Promise<FileEntry | null> {
  const full = join(workspacePath, path);
  try {
    const stat = await lstat(full);
    const common = { path, size: stat.size, mode: stat.mode & 0o7777, mtimeMs: stat.mtimeMs };
    if (stat.isSymbolicLink())
      return { ...common, kind: 'symlink', sha256: null, target: await readlink(full) };
    if (!stat.isFile()) return { ...common, kind: 'other', sha256: null };
    return { ...common, kind: 'file', sha256: stat.size > MAX_HASHED_BYTES ? null : await hashFile(full) };
  } catch (error) {
    return ignoreIfUnreachable(error, null);
  }
}

async function hashFile(path: string): Promise<string | null> {
  try {
    // If the file has become a link or a pipe meanwhile, neither follow it nor wait for it.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ end: MAX_HASHED_BYTES })) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    return ignoreIfUnreachable(error, null);
  }
}

/** Ignores files that vanish or cannot be read: the workspace may still change. */
function ignoreIfUnreachable<T>(error: unknown, instead: T): T {
  const expected = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENXIO', 'EISDIR'];
  if (hasErrorCode(error, ...expected)) return instead;
  throw error;
}

function sortByPath(files: readonly FileEntry[]): FileEntry[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}
