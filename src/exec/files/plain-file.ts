import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { KnownError } from '../../domain/common/known-error.js';
import { hasErrorCode } from '../error-code.js';

/**
 * Reads and writes our own files in folders that an agent can reach. The agent may have replaced them by a pipe, a
 * device, a link or an endless file: these are not waited for, followed or read.
 */

/** Much larger than any file that we read at once, and small enough for a string. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The same for a log that only our stand-ins and hooks write, and that an agent can fill. */
export const MAX_LOG_BYTES = 16 * 1024 * 1024;

const SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const READ = constants.O_RDONLY | SAFELY;
const CONTINUE = constants.O_RDWR | constants.O_APPEND | SAFELY;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | SAFELY;

/** Opens a regular file for reading. The caller closes it. */
export async function openPlainFile(path: string, maxBytes = Infinity): Promise<FileHandle> {
  const file = await open(path, READ).catch((error) => {
    throw explainOpen(path, error);
  });
  try {
    const stat = await file.stat();
    requirePlain(path, stat);
    requireSize(path, stat, maxBytes);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Does the same as readPlainTextSync, for callers that wait anyway. */
export async function readPlainText(path: string, maxBytes?: number): Promise<string> {
  return readPlainTextSync(path, maxBytes);
}

/** Reads the whole text of a regular file. */
export function readPlainTextSync(path: string, maxBytes = MAX_BYTES): string {
  return withFile(path, READ, (file, stat) => {
    requireSize(path, stat, maxBytes);
    return readFileSync(file, 'utf8');
  });
}

/** Opens a regular file that exists, for reading and appending. The caller closes it. */
export function openToContinue(path: string): number {
  return openChecked(path, CONTINUE).file;
}

/** Writes a new file, and replaces whatever is at its path. */
export async function replaceFile(path: string, text: string): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, text, { flag: 'wx' });
}

/** Appends to a regular file, and creates it if necessary. */
export function appendPlainText(path: string, text: string): void {
  withFile(path, APPEND, (file) => writeSync(file, text));
}

function withFile<Result>(path: string, flags: number, use: (file: number, stat: Stats) => Result): Result {
  const { file, stat } = openChecked(path, flags);
  try {
    return use(file, stat);
  } finally {
    closeSync(file);
  }
}

function openChecked(path: string, flags: number): { readonly file: number; readonly stat: Stats } {
  let file: number;
  try {
    file = openSync(path, flags, 0o666);
  } catch (error) {
    throw explainOpen(path, error);
  }
  try {
    const stat = fstatSync(file);
    requirePlain(path, stat);
    return { file, stat };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function requirePlain(path: string, stat: Stats): void {
  if (!stat.isFile()) throw notPlain(path, describeKind(stat));
}

function requireSize(path: string, { size }: Stats, maxBytes: number): void {
  if (size <= maxBytes) return;
  throw new KnownError(`Expected at most ${maxBytes} bytes in ${path}, found ${size}.`, { hint: REMOVE_IT });
}

const REMOVE_IT =
  'Remove it. If an agent put it there, use --isolation bwrap or docker: then it cannot reach that folder.';

/** Translates what `open` reports: ELOOP for a link, ENXIO for a pipe without a reader or a socket. */
function explainOpen(path: string, error: unknown): unknown {
  if (hasErrorCode(error, 'ELOOP')) return notPlain(path, 'a symbolic link');
  if (hasErrorCode(error, 'ENXIO')) return notPlain(path, 'a pipe or a socket');
  return error;
}

function notPlain(path: string, found: string): KnownError {
  return new KnownError(`Expected a regular file at ${path}, found ${found}.`, { hint: REMOVE_IT });
}

function describeKind(stat: Stats): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a named pipe';
  return 'a device or a socket';
}
