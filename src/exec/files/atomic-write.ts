import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What to write: at once, or in pieces. */
type FileData = string | Uint8Array | Iterable<string> | AsyncIterable<Uint8Array>;

/**
 * Writes a file so that readers see either the old or the new content and nothing in between; if `durable`, even after a
 * power failure.
 */
export async function writeFileAtomic(
  path: string,
  data: FileData,
  { durable = true }: { readonly durable?: boolean } = {},
): Promise<void> {
  // In the same folder, because a rename is atomic only within one file system.
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx');
    try {
      // Each piece is written after the previous one.
      for await (const piece of isWhole(data) ? [data] : data) await file.writeFile(piece);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function isWhole(data: FileData): data is string | Uint8Array {
  return typeof data === 'string' || data instanceof Uint8Array;
}
