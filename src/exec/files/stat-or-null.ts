import { lstatSync, type Stats } from 'node:fs';
import { hasErrorCode } from '../error-code.js';

/** Returns the stat of what is at `path`, without following a link; null if there is nothing. */
export async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}
