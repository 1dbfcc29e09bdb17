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
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes.includes(0)) {
    throw new Error('it is not UTF-8 (it looks like UTF-16 or a binary file): save it as UTF-8');
  }
  try {
    // The decoder removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const line = bytes.subarray(0, findInvalid(bytes)).toString('latin1').split('\n').length;
    throw new Error(`line ${line} is not UTF-8 (it looks like Latin-1): save the file as UTF-8`);
  }
}

/** Finds the first byte that is not UTF-8. */
function findInvalid(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  let at = 0;
  for (const character of text) {
    // A real U+FFFD in the file has these three bytes.
    const isReal = bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
    if (character === '\ufffd' && !isReal) return at;
    at += Buffer.byteLength(character);
  }
  return at;
}
