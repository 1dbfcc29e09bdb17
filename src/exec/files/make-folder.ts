import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { hasErrorCode } from '../error-code.js';

/**
 * Creates a folder and its parents. Node's recursive mkdir (seen in 20.20) never returns if a file system refuses new
 * names with ENOENT, as /proc does: it assumes a missing parent, finds that the parent exists, and tries again.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (!mayLackParent(path, error)) throw error;
    await makeFolder(dirname(path));
    // The parent exists now, so any failure is final.
    await makeOne(path);
  }
}

/** Creates a folder that the user chose. If that fails, it is the user's mistake and not a bug. */
export async function makeChosenFolder(path: string, hint: string): Promise<void> {
  try {
    await makeFolder(path);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new KnownError(`Cannot create the folder ${path}: ${reason}.`, { hint, cause });
  }
}

/** Does the same as makeFolder, synchronously. */
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

/** Ignores any error if the folder exists: some file systems do not report EEXIST. */
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
