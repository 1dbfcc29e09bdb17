import { readdir } from 'node:fs/promises';
import { hasErrorCode } from '../../exec/error-code.js';

/** Lists the names in a folder; empty if there is no folder. */
export async function listNames(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
