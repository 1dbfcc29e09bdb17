import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

/** The absolute path of a program as the shell would find it, or null. A name with a slash is taken as a path. */
export function findExecutable(name: string, pathVariable: string | undefined): string | null {
  if (name.includes('/')) return isExecutableFile(resolve(name)) ? resolve(name) : null;
  // Relative entries of PATH mean "wherever I happen to be", which differs between us and the target.
  const folders = (pathVariable ?? '').split(':').filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isExecutableFile) ?? null;
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for us: both mean "look further".
    return false;
  }
}
