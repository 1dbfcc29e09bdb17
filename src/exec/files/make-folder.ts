import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { hasErrorCode } from '../error-code.js';

/**
 * Makes a folder and those above it. Node's recursive mkdir (seen in 20.20) never returns where a file system refuses
 * new names with ENOENT, as /proc does: it takes that for a missing parent, finds the parent there, and tries again.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (!mayLackParent(path, error)) throw error;
    await makeFolder(dirname(path));
    // The parent is there now: whatever fails this time is final.
    await makeOne(path);
  }
}

/** Makes a folder that the user chose; if it cannot be made, that is a sentence and not a bug. */
export async function makeChosenFolder(path: string, hint: string): Promise<void> {
  try {
    await makeFolder(path);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new KnownError(`the folder ${path} cannot be made: ${reason}`, { hint, cause });
  }
}

/** As makeFolder, for programs that do one thing after the other. */
export function makeFolderSync(path: string): void {
  try {
    makeOneSync(path);
  } catch (error) {
    if (!mayLackParent(path, error)) throw error;
    makeFolderSync(dirname(path));
    makeOneSync(path);
  }
}

function mayLackParent(path: string, error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT') && dirname(path) !== path;
}

/** Any error is fine if the folder is there: on some file systems it is not EEXIST. */
async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory() !== true) throw error;
  }
}

function makeOneSync(path: string): void {
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
