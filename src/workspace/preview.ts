import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { hasErrorCode } from '../exec/error-code.js';

/** The beginning of a file, for people and reports. */
export interface Preview {
  readonly text: string;
  /** Size of the whole file. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** Holds NUL bytes: `text` is of little use. */
  readonly binary: boolean;
}

/**
 * Reads the beginning of a regular file inside a folder; null when there is none. An agent may have put links in
 * the way: neither a link nor a file behind a linked folder outside is read.
 */
export async function readPreview(
  folder: string,
  relativePath: string,
  maxBytes: number,
): Promise<Preview | null> {
  const path = join(folder, relativePath);
  try {
    const inside = await realpath(folder);
    const parent = await realpath(dirname(path));
    if (parent !== inside && !parent.startsWith(inside + sep)) return null;
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return null;
      const buffer = Buffer.alloc(Math.min(maxBytes, stat.size));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      const data = buffer.subarray(0, bytesRead);
      return {
        text: data.toString('utf8'),
        bytes: stat.size,
        truncated: stat.size > bytesRead,
        binary: data.includes(0),
      };
    } finally {
      await file.close();
    }
  } catch (error) {
    const expected = ['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENXIO', 'EISDIR'];
    if (hasErrorCode(error, ...expected)) return null;
    throw error;
  }
}
