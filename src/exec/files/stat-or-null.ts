import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { hasErrorCode } from '../error-code.js';

/** What is at `path` itself (a link is a link), or null. */
export async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}
