import { hasErrorCode } from '../../exec/error-code.js';

/** Lists a folder; nothing if it is no folder, is gone, or is not ours to read. Programs inside cannot read it either. */
export function listOrNone<Entry>(list: () => Entry[]): Entry[] {
  try {
    return list();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return [];
    throw error;
  }
}
