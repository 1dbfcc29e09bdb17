import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { removeTree } from '../../workspace/remove-tree.js';

/** A folder that we made, recognizable even if another one takes its path. */
interface MadeFolder {
  readonly device: number;
  readonly inode: number;
  /** False if the folder was there, empty: then only its content is ours. */
  readonly whole: boolean;
}

/** The projects that create_test_project made. Only these are deleted. */
export class MadeProjects {
  readonly #made = new Map<string, MadeFolder>();

  get paths(): readonly string[] {
    return [...this.#made.keys()];
  }

  /** Runs `create`, which makes a project at a path, and remembers the folder. */
  async add<Result>(path: string, create: () => Promise<Result>): Promise<Result> {
    const whole = (await statOrNull(path)) === null;
    const result = await create();
    const { dev: device, ino: inode } = await lstat(path);
    this.#made.set(path, { device, inode, whole });
    return result;
  }

  /** Deletes the projects. Returns how many, and the paths at which something else is now, which stays. */
  async remove(): Promise<{ readonly removed: number; readonly left: readonly string[] }> {
    const made = [...this.#made];
    this.#made.clear();
    const left: string[] = [];
    for (const [path, folder] of made) {
      const now = await statOrNull(path);
      if (now === null) continue;
      if (!now.isDirectory() || now.dev !== folder.device || now.ino !== folder.inode) left.push(path);
      else if (folder.whole) await removeTree(path);
      else for (const name of await readdir(path)) await removeTree(join(path, name));
    }
    return { removed: made.length - left.length, left };
  }
}
