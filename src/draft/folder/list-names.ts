import { readdir } from 'node:fs/promises';
import { hasErrorCode } from '../../exec/error-code.js';

/** What lies in a folder; nothing where there is none. */
export async function listNames(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
