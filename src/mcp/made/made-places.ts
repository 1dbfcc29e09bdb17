import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../../exec/files/remove-tree.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';

/** A folder or file that we made, recognizable even if another one takes its path. */
interface MadePlace {
  readonly device: number;
  readonly inode: number;
  readonly isFolder: boolean;
  /** False if the folder was there, empty: then only its content is ours. */
  readonly whole: boolean;
}

/** What deleting them came to. */
interface RemovedPlaces {
  readonly removed: number;
  /** The paths at which something else is now, which stays. */
  readonly left: readonly string[];
}

/** Folders and files that this server made. Only these are deleted. */
export class MadePlaces {
  readonly #made = new Map<string, MadePlace>();

  get paths(): readonly string[] {
    return [...this.#made.keys()];
  }

  /** Runs `create`, which makes something at a path, and remembers it. */
  async add<Result>(path: string, create: () => Promise<Result>): Promise<Result> {
    const before = this.#made.get(path);
    const whole = before?.whole ?? (await statOrNull(path)) === null;
    const result = await create();
    const made = await lstat(path);
    this.#made.set(path, { device: made.dev, inode: made.ino, isFolder: made.isDirectory(), whole });
    return result;
  }

  async remove(): Promise<RemovedPlaces> {
    const made = [...this.#made];
    this.#made.clear();
    const left: string[] = [];
    for (const [path, place] of made) {
      const now = await statOrNull(path);
      if (now === null) continue;
      const isSame = now.dev === place.device && now.ino === place.inode;
      if (!isSame || now.isDirectory() !== place.isFolder || now.isSymbolicLink()) left.push(path);
      else {
        const parts = place.whole ? [path] : (await readdir(path)).map((name) => join(path, name));
        if ((await removeFolders(parts)).length === 0) continue;
        left.push(path);
        this.#made.set(path, place);
      }
    }
    return { removed: made.length - left.length, left };
  }
}

/** Deletes folders, and returns those that are still there. */
export async function removeFolders(paths: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const path of paths) {
    // Whatever the reason is, the folder that stays is what the caller has to know.
    await removeTree(path).catch(() => {});
    if ((await statOrNull(path)) !== null) left.push(path);
  }
  return left;
}
