import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import { hasErrorCode } from '../../../exec/error-code.js';

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
