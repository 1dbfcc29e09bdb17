import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { hasErrorCode } from '../error-code.js';
import { statOrNull } from './stat-or-null.js';

/** Resolves the path of a file in a folder. Refuses a path that leads out: absolute, with `..`, or through a link. */
export async function resolveInside(folder: string, path: string): Promise<string> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw hasErrorCode(cause, 'ENOENT', 'ENOTDIR')
      ? new KnownError(`Expected a folder at ${folder}, found none.`, { cause })
      : cause;
  });
  const target = join(root, path);
  if (isAbsolute(path) || !isInside(root, target)) {
    throw new KnownError(`Expected a path inside ${root}, found ${JSON.stringify(path)}.`);
  }
  for (let step = target; isInside(root, step); step = dirname(step)) await refuseWayOut(root, step);
  return target;
}

async function refuseWayOut(root: string, step: string): Promise<void> {
  if ((await statOrNull(step))?.isSymbolicLink() !== true) return;
  const end = await realpath(step).catch((error: unknown) => {
    // Nobody knows where a dangling or circular link will lead.
    if (hasErrorCode(error, 'ENOENT', 'ELOOP')) return null;
    throw error;
  });
  if (end === null || !isInside(root, end)) {
    throw new KnownError(
      `Expected a path inside ${root}, found ${relative(root, step)}, a link that leads out of it.`,
    );
  }
}

function isInside(root: string, path: string): boolean {
  // `join` keeps the slash of `./`, so the texts differ where the folders are the same.
  return relative(root, path) !== '' && folderHolds(root, path);
}

/** Whether a path is a folder or in it. Both must be absolute, without links. */
export function folderHolds(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
