import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { hasErrorCode } from '../exec/error-code.js';
import { useFolderInside } from './open-inside.js';

/** A file of a workspace. */
interface FileEntry {
  /** Relative to the workspace, separated by slashes. Bytes that are not UTF-8 are shown as `\xff`. */
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
  /** Whether there were more files than we list, or deeper ones than a path can name. */
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

const SLASH = Buffer.from('/');
const GIT = Buffer.from('.git');
const MAX_FILES = 5_000;
const MAX_FOLDERS = 20_000;
const MAX_HASHED_BYTES = 256 * 1024 * 1024;
/** Time limits and other attempts get their turn after so many looks. */
const IN_ONE_TURN = 200;

/** Lists the files of a workspace except git's own, up to a limit. Folders near the top come first. */
export async function snapshotFiles(
  workspacePath: string,
  { maxFiles = MAX_FILES }: { maxFiles?: number } = {},
): Promise<Snapshot> {
  const files: FileEntry[] = [];
  let folders = 0;
  let looks = 0;
  let truncated = false;
  // Level by level, so that one deep folder (node_modules) does not crowd out its siblings.
  for (let level: Buffer[] = [Buffer.alloc(0)]; level.length > 0 && !truncated; ) {
    const below: Buffer[] = [];
    const take = async (folder: Buffer, place: string) => {
      for (const entry of listFolder(place)) {
        const path = folder.length === 0 ? entry.name : Buffer.concat([folder, SLASH, entry.name]);
        if (entry.name.equals(GIT)) continue;
        looks += 1;
        if (looks % IN_ONE_TURN === 0) await setImmediate();
        if (entry.isDirectory()) {
          folders += 1;
          below.push(path);
          continue;
        }
        truncated ||= files.length >= maxFiles;
        if (truncated) return;
        const file = await readEntry(Buffer.concat([Buffer.from(`${place}/`), entry.name]), showPath(path));
        if (file) files.push(file);
      }
    };
    for (const folder of level) {
      try {
        await useFolderInside(workspacePath, folder, (place) => take(folder, place));
      } catch (error) {
        truncated ||= hasErrorCode(error, 'ENAMETOOLONG');
        ignoreIfUnreachable(error);
      }
      if (truncated) break;
    }
    truncated ||= folders > MAX_FOLDERS;
    level = below;
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), truncated };
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

function listFolder(path: string) {
  const entries = readdirSync(path, { withFileTypes: true, encoding: 'buffer' });
  return entries.sort((a, b) => a.name.compare(b.name));
}

async function readEntry(full: Buffer, path: string): Promise<FileEntry | null> {
  try {
    const stat = lstatSync(full);
    const common = { path, size: stat.size, mode: stat.mode & 0o7777, mtimeMs: stat.mtimeMs };
    if (stat.isSymbolicLink())
      return { ...common, kind: 'symlink', sha256: null, target: readlinkSync(full) };
    if (!stat.isFile()) return { ...common, kind: 'other', sha256: null };
    if (stat.size > MAX_HASHED_BYTES) return { ...common, kind: 'file', sha256: null };
    const hash = stat.size <= PIECE.length ? hashSmallFile(full) : await hashFile(full);
    return { ...common, kind: 'file', sha256: hash };
  } catch (error) {
    return ignoreIfUnreachable(error);
  }
}

function showPath(path: Buffer): string {
  if (isUtf8(path)) return path.toString();
  return path.toString('latin1').replace(/[^\0-\x7f]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}

/** If a file has become a link or a pipe meanwhile, neither follow it nor wait for it. */
const WARY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const PIECE = Buffer.alloc(64 * 1024);

/** Reads most files in one go: taking turns with a thread for each step costs more than the file. */
function hashSmallFile(path: Buffer): string | null {
  let file: number | null = null;
  try {
    file = openSync(path, WARY);
    const hash = createHash('sha256');
    for (let total = 0; total <= MAX_HASHED_BYTES; ) {
      const length = readSync(file, PIECE);
      if (length === 0) break;
      hash.update(PIECE.subarray(0, length));
      total += length;
    }
    return hash.digest('hex');
  } catch (error) {
    return ignoreIfUnreachable(error);
  } finally {
    if (file !== null) closeSync(file);
  }
}

async function hashFile(path: Buffer): Promise<string | null> {
  try {
    const file = await open(path, WARY);
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ end: MAX_HASHED_BYTES })) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    return ignoreIfUnreachable(error);
  }
}

/** Ignores files that vanish or cannot be read: the workspace may still change. */
function ignoreIfUnreachable(error: unknown): null {
  const gone = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL', 'EISDIR', 'ENAMETOOLONG'];
  if (hasErrorCode(error, ...gone, 'EACCES', 'EPERM', 'ENXIO')) return null;
  throw error;
}
