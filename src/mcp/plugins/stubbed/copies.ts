import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { removeTree } from '../../../exec/files/remove-tree.js';
import { copyWithStubs, type StubbedPlugin } from './copy.js';

/** The copies of plugins in which scripts play servers. Conversations load them, so that none changes once it is made. */
export class StubbedCopies {
  readonly #newFolder: () => string;
  readonly #isOpen: (copy: string) => boolean;
  /** What each copy was made from. */
  readonly #made = new Map<string, string>();
  /** Copies that are not installed any more. */
  readonly #left = new Set<string>();

  constructor(newFolder: () => string, isOpen: (copy: string) => boolean) {
    this.#newFolder = newFolder;
    this.#isOpen = isOpen;
  }

  /** Returns a copy of a plugin as it is now: the last one if nothing has changed since. */
  async place(plugin: StubbedPlugin, last: string | null): Promise<string> {
    const print = await takePrint(plugin);
    if (last !== null && this.#made.get(last) === print && existsSync(last)) return last;
    const folder = this.#newFolder();
    try {
      const copy = await copyWithStubs(plugin, folder);
      this.#made.set(copy, print);
      return copy;
    } catch (error) {
      await removeTree(folder);
      throw error;
    }
  }

  /** Removes a copy and all earlier ones, as soon as no open conversation uses them. */
  async leave(copy: string): Promise<void> {
    if (this.#made.has(copy)) this.#left.add(copy);
    for (const left of this.#left) {
      if (this.#isOpen(left)) continue;
      this.#left.delete(left);
      this.#made.delete(left);
      await removeTree(dirname(left));
    }
  }
}

/** Identifies the files of a plugin and its stubs, without reading the files. */
async function takePrint({ origin, stubs }: StubbedPlugin): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(stubs));
  const entries = await readdir(origin, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const path of paths) {
    // A link may stay the same while its file changes.
    const both = [await lstat(path), await stat(path).catch(() => null)];
    const facts = both.map((found) =>
      found === null ? null : [found.ino, found.mode, found.size, found.ctimeMs],
    );
    hash.update(JSON.stringify([relative(origin, path), facts]));
  }
  return hash.digest('hex');
}
