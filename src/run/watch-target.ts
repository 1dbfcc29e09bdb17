import type { Target } from '../domain/attempt.js';
import { hasErrorCode } from '../exec/error-code.js';
import { hashFile } from '../exec/files/hash-file.js';

/** Describes how the program under test differs from what it was, or returns null. */
type FindChangedTarget = () => Promise<string | null>;

/**
 * Remembers the program under test. An agent on the host can replace it, and the tests after that would be about
 * something else. `binary` is what is really started.
 */
export async function watchTarget(target: Target, binary: string): Promise<FindChangedTarget> {
  if (target.kind !== 'real') return () => Promise.resolve(null);
  const paths = [...new Set([target.path, binary])];
  const known = await Promise.all(paths.map(hashFile));
  return async () => {
    for (const [index, path] of paths.entries()) {
      const now = await hashOrNull(path);
      if (now !== known[index]) return `${path} ${now === null ? 'was removed' : 'is another program now'}`;
    }
    return null;
  };
}

async function hashOrNull(path: string): Promise<string | null> {
  try {
    return await hashFile(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR', 'ELOOP')) return null;
    throw error;
  }
}
