import { closeSync, openSync, readSync } from 'node:fs';

/** Reads the first bytes of a file, one character for each. */
export function readStart(path: string, bytes: number): string {
  const start = Buffer.alloc(bytes);
  const file = openSync(path, 'r');
  try {
    return start.toString('latin1', 0, readSync(file, start, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}
