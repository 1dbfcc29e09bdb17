import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import { messageOf } from '../../../domain/common/message-of.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { makeFolder } from '../../../exec/files/make-folder.js';
import { resolveInside } from '../../../exec/files/resolve-inside.js';

/** A file to write, with its path in the project. */
export interface SampleFile {
  readonly path: string;
  readonly content: string;
}

export interface SampleFiles {
  readonly created: readonly string[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Writes files into a project. If one cannot be written, the others are still written. `requireFree` throws for a path
 * at which nothing may be written.
 */
export async function createSampleFiles(
  project: string,
  files: readonly SampleFile[],
  requireFree: (target: string) => Promise<void> = async () => {},
): Promise<SampleFiles> {
  await requireProject(project);
  const created: string[] = [];
  const errors: { path: string; message: string }[] = [];
  for (const { path, content } of files) {
    try {
      const target = await resolveInside(project, path);
      await requireFree(target);
      await makeFolder(dirname(target));
      await writeFile(target, content);
      created.push(path);
    } catch (error) {
      errors.push({ path, message: messageOf(error) });
    }
  }
  return { created, errors };
}

async function requireProject(path: string): Promise<void> {
  await stat(path).catch((cause: unknown) => {
    throw hasErrorCode(cause, 'ENOENT', 'ENOTDIR')
      ? new KnownError(`Expected a project at ${path}, found none.`, { cause })
      : cause;
  });
}
