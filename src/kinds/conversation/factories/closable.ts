/// <reference lib="esnext.disposable" preserve="true" />
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../../../exec/files/remove-tree.js';

/** Something that must be closed: by hand, in a test's cleanup, or at the end of an `await using` block. */
export interface Closable {
  /** Closes it and removes what belongs to it. A second call does nothing. */
  close(): Promise<void>;
  /** Calls `close` at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Adds `close` to an object. */
export function closable<Thing extends object>(
  thing: Thing,
  giveBack: () => Promise<void>,
): Thing & Closable {
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= giveBack();
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
