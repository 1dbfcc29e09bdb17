import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

/** Finds a program as the shell would; null if there is none. A name with a slash is a path. */
export function findExecutable(name: string, pathVariable: string | undefined): string | null {
  if (name.includes('/')) return isExecutableFile(resolve(name)) ? resolve(name) : null;
  // Relative entries of PATH depend on the current folder, which differs between us and the target.
  const folders = (pathVariable ?? '').split(':').filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isExecutableFile) ?? null;
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // It does not exist, or we may not execute it: look further.
    return false;
  }
}
