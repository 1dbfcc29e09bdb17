import { removeTree } from '../../exec/files/remove-tree.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';

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
