import { stat } from 'node:fs/promises';
import type { Target } from '../domain/attempt.js';
import { hasErrorCode } from '../exec/error-code.js';
import { hashFile } from '../exec/files/hash-file.js';

/** Describes how the program under test differs from what it was, or returns null. */
type FindChangedTarget = () => Promise<string | null>;

/**
 * Remembers the program under test. An agent on the host can replace it, and the tests after that would be about
 * something else. The target has its hash. `binary` is what is really started.
 */
export async function watchTarget(target: Target, binary: string): Promise<FindChangedTarget> {
  if (target.kind !== 'real') return () => Promise.resolve(null);
  const paths = [...new Set([target.path, binary])];
  const known = new Map(await Promise.all(paths.map(async (path) => [path, await markOf(path)] as const)));
  return async () => {
    for (const path of paths) {
      const mark = await orNull(markOf(path));
      if (mark !== null && mark === known.get(path)) continue;
      // Whoever makes a link to it changes its inode, and nothing else.
      const now = await orNull(hashFile(path));
      if (mark === null || now === null) return `${path} was removed`;
      if (now !== target.sha256) return `${path} is another program now`;
      known.set(path, mark);
    }
    return null;
  };
}

/** Nobody can set back the time of the last change of an inode without special rights. */
async function markOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path);
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
