import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { packageRoot } from '../../exec/files/package-root.js';

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
function findPlace({ stack }: Error): string | null {
  const ours = ['dist', 'src', 'node_modules'].map((folder) => join(packageRoot(), folder) + sep);
  for (const line of String(stack).split('\n')) {
    const [, where, number] = FRAME.exec(line) ?? [];
    if (where === undefined) continue;
    const path = where.startsWith('file:') ? fileURLToPath(where) : where;
    if (ours.some((folder) => path.startsWith(folder))) continue;
    const short = relative(process.cwd(), path);
    return `${short.startsWith('..') ? path : short}:${number}`;
  }
  return null;
}
