import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Reads a text file. Throws with a reason if it is not a regular file or not in UTF-8. */
export function readTextFile(path: string): string {
  // Opening a pipe, or reading a device, can take forever.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const about = fstatSync(file);
    if (!about.isFile()) throw new Error(`it is ${about.isDirectory() ? 'a folder' : 'not a regular file'}`);
    return decode(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Buffer): string {
  try {
    // The decoder removes a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // The same mistake as a text with null characters, which is UTF-16 or no text.
  }
  throw new Error('it is not UTF-8: save it as UTF-8');
}
