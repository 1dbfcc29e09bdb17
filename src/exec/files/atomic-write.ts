import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes a file so that a reader, or a crash, sees the old content or the new one and nothing between. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array | Iterable<string>,
): Promise<void> {
  // In the same folder, because a rename is atomic only within one file system.
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx');
    try {
      // Each piece goes where the one before it ended.
      for (const piece of isWhole(data) ? [data] : data) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function isWhole(data: string | Uint8Array | Iterable<string>): data is string | Uint8Array {
  return typeof data === 'string' || data instanceof Uint8Array;
}
