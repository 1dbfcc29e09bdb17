import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { hasErrorCode } from '../exec/error-code.js';
import { folderHolds } from '../exec/files/resolve-inside.js';
import { ToolError } from './errors.js';

/** The folder that tools may read and write. For a link, its target counts. */
export class Confinement {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async open(root: string): Promise<Confinement> {
    try {
      const real = await realpath(root);
      if ((await stat(real)).isDirectory()) return new Confinement(real);
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error;
    }
    throw new ToolError('FileNotFoundError', `--root ${root}: expected a folder, found none.`);
  }

  /** Resolves a path inside the root to an absolute one. It need not exist. */
  async inside(path: string, what: string): Promise<string> {
    if (path.includes('\0')) {
      throw new ToolError(
        'InvalidInputError',
        `${what}: expected a path, found one that contains a null byte.`,
      );
    }
    const wanted = isAbsolute(path) ? resolve(path) : resolve(this.root, path);
    const real = await this.#realOf(wanted);
    if (folderHolds(this.root, real)) return real;
    throw new ToolError(
      'PathOutsideRootError',
      `${what}: expected a path inside ${this.root}, found ${path}.`,
      'Start the server with --root <dir> to work elsewhere.',
    );
  }

  /** Resolves the path of an existing file or folder inside the root. */
  async existing(path: string, what: string, kind: 'file' | 'folder'): Promise<string> {
    const real = await this.inside(path, what);
    const found = await stat(real).catch((error: unknown) => {
      if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
      throw error;
    });
    if (kind === 'file' ? found?.isFile() : found?.isDirectory()) return real;
    throw new ToolError(
      'FileNotFoundError',
      `${what}: expected a ${kind} at ${real}, found ${found === null ? 'nothing' : 'something else'}.`,
    );
  }

  /** Resolves links in the part of the path that exists, and appends the rest. */
  async #realOf(path: string): Promise<string> {
    try {
      return await realpath(path);
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error;
    }
    // Writing to a dangling link would create its target, wherever that is.
    if (await isLink(path)) return join(sep, 'dangling-link');
    const parent = dirname(path);
    return parent === path ? path : join(await this.#realOf(parent), relative(parent, path));
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}
