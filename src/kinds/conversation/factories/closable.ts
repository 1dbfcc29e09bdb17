/// <reference lib="esnext.disposable" preserve="true" />
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../../../workspace/remove-tree.js';

/** Something that is given back: by hand, by a test's own clean-up, or at the end of an `await using`. */
export interface Closable {
  /** Gives it back. A second call does nothing more. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Adds to a thing how it is given back. */
export function closable<Thing extends object>(
  thing: Thing,
  giveBack: () => Promise<void>,
): Thing & Closable {
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= giveBack();
    return closed;
  };
  // Kept as it is and not copied: a thing may have properties that change.
  return Object.assign(thing, { close, [Symbol.asyncDispose]: close });
}

/** Makes something in a folder of its own, which is gone when that fails, and which the maker removes otherwise. */
export async function inNewFolder<Made>(make: (folder: string) => Promise<Made>): Promise<Made> {
  // Programs tell the real path of their folder: the one that we name should be the same.
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'ralph-e2e-'));
  try {
    return await make(folder);
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
}
