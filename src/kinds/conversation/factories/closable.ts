/// <reference lib="esnext.disposable" preserve="true" />

import { mkdtemp, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { removeTree } from '../../../exec/files/remove-tree.js';

/** Something that must be closed: by hand, in a test's cleanup, or at the end of an `await using` block. */
export interface Closable {
  /** Closes it and removes what belongs to it. A second call does nothing. */
  close(): Promise<void>;
  /** Calls `close` at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Adds `close` to an object. */
export function closable<Thing extends object>(thing: Thing, release: () => Promise<void>): Thing & Closable {
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= release();
    return closed;
  };
  // The object is not copied, because it may have properties that change.
  return Object.assign(thing, { close, [Symbol.asyncDispose]: close });
}

/** Makes something in a new temporary folder. The folder is removed if that fails; otherwise the caller removes it. */
export async function inNewFolder<Made>(make: (folder: string) => Promise<Made>): Promise<Made> {
  // Programs report the real path of their folder, so we use the same.
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'ralph-e2e-'));
  try {
    return await make(folder);
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
}

/** Returns the real path of a folder. Programs compare real paths: a link would be a different folder to them. */
export async function findFolder(path: string, what: string): Promise<string> {
  try {
    const found = await realpath(path);
    if ((await stat(found)).isDirectory()) return found;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT'))
      throw new KnownError(`Expected ${what} at ${resolve(path)}, found none.`);
    throw error;
  }
  throw new KnownError(`Expected ${what} at ${resolve(path)}, found a file.`);
}
