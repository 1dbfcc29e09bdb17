import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Target } from '../domain/attempt.js';
import { hasErrorCode } from '../exec/error-code.js';
import { hashFile } from '../exec/files/hash-file.js';

/**
 * Remembers the program under test. An agent on the host can replace it, and the tests after that would be about
 * something else. The target has its hash. `binary` is what is really started. Returns a function that says how it
 * differs from what it was, or null. What was found once stays found, even if the program is put back.
 */
export async function watchTarget(target: Target, binary: string): Promise<() => Promise<string | null>> {
  if (target.kind !== 'real') return () => Promise.resolve(null);
  const paths = [...new Set([target.path, binary])];
  const known = new Map(await Promise.all(paths.map(async (path) => [path, await stat(path)] as const)));
  let found: string | null = null;
  const look = async (path: string, was: Stats): Promise<string | null> => {
    const now = await orNull(stat(path));
    if (now !== null && markOf(now) === markOf(was)) return null;
    const hash = await orNull(hashFile(path));
    if (now === null || hash === null) return `${path} was removed`;
    if (hash !== target.sha256) return `${path} is another program now`;
    // Whoever makes a link to it changes its inode, and nothing else.
    if (now.ctimeMs !== was.ctimeMs && now.nlink === was.nlink) return `${path} was changed and put back`;
    known.set(path, now);
    return null;
  };
  return async () => {
    for (const [path, was] of known) {
      const now = await look(path, was);
      found ??= now;
    }
    return found;
  };
}

/** Nobody can set back the time of the last change of an inode without special rights. */
function markOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
}

/** Null if the file cannot be read any more. */
async function orNull<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR', 'ELOOP')) return null;
    throw error;
  }
}
