import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { hasErrorCode } from '../error-code.js';

/**
 * Creates a folder and its parents. Node's recursive mkdir (seen in 20.20) never returns if a file system refuses new
 * names with ENOENT, as /proc does: it assumes a missing parent, finds that the parent exists, and tries again.
 */
export function makeFolderSync(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT') || dirname(path) === path) throw error;
    makeFolderSync(dirname(path));
    // The parent exists now, so any failure is final.
    makeOne(path);
  }
}

/** Does the same as makeFolderSync, for callers that wait anyway. */
export async function makeFolder(path: string): Promise<void> {
  makeFolderSync(path);
}

/** Writes a file, and first creates its folder. */
export function putFile(path: string, data: string | Uint8Array): void {
  makeFolderSync(dirname(path));
  writeFileSync(path, data);
}

/** Makes sure that there is a file. What it contains stays. */
export function ensureFile(path: string): void {
  makeFolderSync(dirname(path));
  writeFileSync(path, '', { flag: 'a' });
}

/** Creates a folder that the user chose. If that fails, it is the user's mistake and not a bug. */
export async function makeChosenFolder(path: string, hint: string): Promise<void> {
  try {
    makeFolderSync(path);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new KnownError(`Cannot create the folder ${path}: ${reason}.`, { hint, cause });
  }
}

/** Ignores any error if the folder exists: some file systems do not report EEXIST. */
function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
