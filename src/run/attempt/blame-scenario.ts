import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { packageRoot, usedPackages } from '../../exec/files/package-root.js';

/**
 * Turns an error of an author's code into one that names the file and the line. An error without a line of theirs is
 * returned as it is: it may be a bug of ours.
 */
export function blameScenario(error: unknown): unknown {
  if (isKnownError(error)) return error;
  if (!(error instanceof Error))
    return new KnownError(`the scenario threw ${messageOf(error)}`, {
      hint: 'Throw an Error: it tells the file and the line.',
    });
  const place = findPlace(error);
  if (place === null) return error;
  return new KnownError(`${error.name}: ${messageOf(error)}, at ${place}`, { cause: error });
}

const FRAME = /^\s+at (?:.*\()?((?:file:\/\/)?\/[^()]*?):(\d+):\d+\)?$/;

/** Finds the first line of the stack that is not ours or Node's, as `file:line`. */
export function findPlace(error: Error): string | null {
  // Bytecode names our files as they were when they were built: in another folder.
  const [own] = listFrames(new Error());
  const folders = ['dist', 'src'].map((folder) => join(packageRoot(), folder) + sep);
  // npm may install them beside us, and authors may have packages of their own there.
  const packages = usedPackages().map((name) => join(sep, 'node_modules', name, sep));
  for (const { path, number } of listFrames(error)) {
    if (own !== undefined && dirname(path) === dirname(own.path)) continue;
    if (folders.some((folder) => path.startsWith(folder))) continue;
    if (packages.some((folder) => path.includes(folder))) continue;
    const short = relative(process.cwd(), path);
    return `${short.startsWith('..') ? path : short}:${number}`;
  }
  return null;
}

function listFrames({ stack }: Error): { readonly path: string; readonly number: string }[] {
  return String(stack)
    .split('\n')
    .flatMap((line) => {
      const [, where, number] = FRAME.exec(line) ?? [];
      if (where === undefined || number === undefined) return [];
      return [{ path: where.startsWith('file:') ? fileURLToPath(where) : where, number }];
    });
}
