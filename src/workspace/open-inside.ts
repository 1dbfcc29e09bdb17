import { closeSync, constants, openSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;
/** Opens a path without opening the file, so that neither a pipe nor a device notices. Node does not name it. */
const O_PATH = 0o10000000;
const isLinux = process.platform === 'linux';

/** Opens what is at a path below a folder, unless it is a link. Null if a link in its parents leads out. */
export async function openInside(folder: string, path: string): Promise<number | null> {
  const flags = O_RDONLY | O_NONBLOCK;
  if (isLinux) return usePlace(folder, path, O_NOFOLLOW, (place) => openSync(place, flags));
  const root = realpathSync.native(folder);
  const target = join(root, path);
  return isIn(realpathSync.native(dirname(target)), root) ? openSync(target, flags | O_NOFOLLOW) : null;
}

/** Uses a folder below another one by a path that leads there whatever becomes of its parents. Null if it is not below. */
export function useFolderInside<Result>(
  folder: string,
  path: Buffer,
  use: (place: string) => Promise<Result>,
): Promise<Result | null> {
  if (isLinux) return usePlace(folder, path, O_NOFOLLOW | O_DIRECTORY, use);
  return use(join(folder, path.toString()));
}

/**
 * A program inside may exchange a folder for a link between two looks. So the kernel says where a place is after it was
 * opened, and it is used by its descriptor. None of this waits for anything, so it is not worth a turn of a thread each.
 */
async function usePlace<Result>(
  folder: string,
  path: string | Buffer,
  flags: number,
  use: (place: string) => Promise<Result> | Result,
): Promise<Result | null> {
  const root = realpathSync.native(folder);
  const target = Buffer.concat([Buffer.from(root + sep), Buffer.from(path)]);
  const descriptor = openSync(target, O_PATH | flags);
  try {
    const place = `/proc/self/fd/${descriptor}`;
    return isIn(readlinkSync(place), root) ? await use(place) : null;
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a path is a folder or leads to something in it. */
export function isIn(path: string, root: string): boolean {
  return path === root || path.startsWith(root + sep);
}
