import { closeSync, fstatSync, readSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, normalize, relative, sep } from 'node:path';
import { hasErrorCode } from '../exec/error-code.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import { redactBytes } from '../exec/redact/bytes.js';
import { isIn, openInside } from './open-inside.js';

/** Reads files that a run left in its workspace: only inside it, limited in size, and without credentials. */
export interface WorkspaceReader {
  /** Reads the text of a file; null if there is none to read. Above the limit, only its beginning and its end. */
  read(path: string, maxBytes?: number): Promise<string | null>;
  /** Reads a text with the credentials in it, to compare it with something; null if it is larger, or none. Never keep it. */
  readRaw(path: string, maxBytes: number): Promise<string | null>;
  /** Removes credentials from a text. */
  redact(text: string): Promise<string>;
  /** Reads the whole text of a file, or says why it cannot. Follows links as long as they stay inside. */
  readWhole(path: string): Promise<WholeText>;
  /** The paths for which `read` returned less than all: only the beginning and the end, or nothing of what is there. */
  readonly cut: ReadonlySet<string>;
}

/** A text with the path that links led to, or why the text is not known. */
type WholeText =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string }
  | {
      readonly kind: 'whole';
      readonly text: string;
      /** Whether credentials were removed from it. */
      readonly scrubbed: boolean;
      readonly sizeBytes: number;
      readonly realPath: string;
    };

/** The size limit for a file that a check reads; a larger one is not judged. */
const MAX_WHOLE_BYTES = 1024 * 1024;

const MAX_BYTES = 4 * 1024 * 1024;

/** How far to read beyond a cut, so that a credential across it is still recognized. */
const MARGIN_BYTES = 8 * 1024;

/** Errors that an agent can cause by what it puts in place of a file. None of them is a bug of ours. */
const UNREADABLE = [
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'ENXIO',
  'ENODEV',
  'EISDIR',
  'ENAMETOOLONG',
];

/** Creates a reader for a workspace. It reads neither links nor files in folders that are linked from outside. */
export function createReader(workspace: string, secrets: readonly string[]): WorkspaceReader {
  const cut = new Set<string>();
  return {
    cut,
    readWhole: (path) => readWhole(workspace, path, secrets),
    redact: (text) => redactBytes(Buffer.from(text), secrets),
    async readRaw(path, maxBytes) {
      const found = await readBytesInside(workspace, path, maxBytes);
      return found.kind === 'bytes' ? found.bytes.toString('utf8') : null;
    },
    async read(path, maxBytes = MAX_BYTES) {
      if (path.includes('\0')) return null;
      try {
        const file = await openInside(workspace, path);
        if (file === null) {
          cut.add(path);
          return null;
        }
        try {
          const { text, whole } = await readCapped(file, maxBytes, secrets);
          if (!whole) cut.add(path);
          return text;
        } finally {
          closeSync(file);
        }
      } catch (error) {
        if (!hasErrorCode(error, ...UNREADABLE)) throw error;
        if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')) cut.add(path);
        return null;
      }
    },
  };
}

async function readWhole(workspace: string, path: string, secrets: readonly string[]): Promise<WholeText> {
  const way = await followInside(workspace, path);
  if (way.kind !== 'place') return way;
  const found = await readBytesInside(workspace, way.path, MAX_WHOLE_BYTES);
  switch (found.kind) {
    case 'none':
      return { kind: 'unknown', why: 'it is not a readable file' };
    case 'too-large':
      return {
        kind: 'unknown',
        why: `it has ${found.size} bytes, and at most ${MAX_WHOLE_BYTES} are read`,
      };
    case 'bytes': {
      const text = decode(found.bytes);
      const kept = await redactBytes(Buffer.from(text), secrets);
      const sizeBytes = found.bytes.length;
      return { kind: 'whole', text: kept, scrubbed: kept !== text, sizeBytes, realPath: way.path };
    }
    default:
      return found satisfies never;
  }
}

/** Decodes a text. What begins with the mark of UTF-16 is read as such; everything else is UTF-8. */
function decode(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return bytes.subarray(2).toString('utf16le');
  if (mark === 'feff')
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  return bytes.toString('utf8');
}

/** Follows the links of a path and returns its target, relative to the workspace. */
async function followInside(
  workspace: string,
  path: string,
): Promise<
  | { readonly kind: 'place'; readonly path: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string }
> {
  const root = await realpath(workspace);
  const leadsOut = { kind: 'unknown', why: 'it leads out of the workspace' } as const;
  let place = root;
  try {
    for (const part of normalize(path).split(sep)) {
      place = join(place, part);
      if (!isIn(place, root)) return leadsOut;
      const stat = await statOrNull(place);
      if (stat === null) return { kind: 'absent' };
      if (!stat.isSymbolicLink()) continue;
      place = await realpath(place);
      if (!isIn(place, root)) return leadsOut;
    }
    return { kind: 'place', path: relative(root, place) };
  } catch (error) {
    // A dangling link may have had a target inside a sandbox that is gone.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return { kind: 'unknown', why: 'it is a dangling link' };
    if (hasErrorCode(error, 'ENAMETOOLONG')) return { kind: 'absent' };
    if (hasErrorCode(error, ...UNREADABLE)) return { kind: 'unknown', why: 'it cannot be read' };
    throw error;
  }
}

/** The whole content of a file, or why it was not read. A large file is never cut. */
export type BytesInside =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'none' }
  | { readonly kind: 'too-large'; readonly size: number };

/** Reads a regular file inside a folder. Does not follow links, and does not wait for pipes. */
export async function readBytesInside(folder: string, path: string, maxBytes: number): Promise<BytesInside> {
  if (path.includes('\0')) return { kind: 'none' };
  try {
    const file = await openInside(folder, path);
    if (file === null) return { kind: 'none' };
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) return { kind: 'none' };
      if (stat.size > maxBytes) return { kind: 'too-large', size: stat.size };
      return { kind: 'bytes', bytes: readBytes(file, 0, stat.size) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (hasErrorCode(error, ...UNREADABLE)) return { kind: 'none' };
    throw error;
  }
}

async function readCapped(
  file: number,
  maxBytes: number,
  secrets: readonly string[],
): Promise<{ readonly text: string | null; readonly whole: boolean }> {
  const stat = fstatSync(file);
  if (!stat.isFile()) return { text: null, whole: false };
  const { size } = stat;
  const readRange = async (position: number, length: number) =>
    redactBytes(readBytes(file, position, length), secrets);
  if (size <= maxBytes) return { text: await readRange(0, size), whole: true };
  const half = Math.floor(maxBytes / 2);
  const window = Math.min(size, half + MARGIN_BYTES);
  const head = (await readRange(0, window)).slice(0, half);
  const tail = (await readRange(size - window, window)).slice(-half);
  return { text: `${head}\n[… ${size - maxBytes} bytes left out …]\n${tail}`, whole: false };
}

function readBytes(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, position));
}
