import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { hasErrorCode } from '../exec/error-code.js';
import { redactText } from '../exec/redact.js';

/** Reads texts that a run left in its workspace: confined to it, bounded, free of credentials. */
export interface WorkspaceReader {
  /** The text of a file, or null where there is none to read. Over the limit, its beginning and its end. */
  read(path: string, maxBytes?: number): Promise<string | null>;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Read beyond a cut, so that a credential that lies across it is still seen whole. */
const MARGIN_BYTES = 8 * 1024;

/** What an agent can put in the way of a file: none of it is an error of ours. */
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

/** Makes a reader for a workspace. Neither a link nor a file behind a linked folder outside is read. */
export function createReader(workspace: string, secrets: readonly string[]): WorkspaceReader {
  return {
    async read(path, maxBytes = MAX_BYTES) {
      if (path.includes('\0')) return null;
      try {
        const file = await openInside(workspace, path);
        if (file === null) return null;
        try {
          return await readCapped(file, maxBytes, (text) => redactText(text, secrets));
        } finally {
          await file.close();
        }
      } catch (error) {
        if (hasErrorCode(error, ...UNREADABLE)) return null;
        throw error;
      }
    },
  };
}

/** A file as it is, or why it is not given: a larger one is never cut. */
export type BytesInside =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'none' }
  | { readonly kind: 'too-large'; readonly size: number };

/** Reads a regular file inside a folder. Links are not followed, and nothing that is no file is waited for. */
export async function readBytesInside(folder: string, path: string, maxBytes: number): Promise<BytesInside> {
  if (path.includes('\0')) return { kind: 'none' };
  try {
    const file = await openInside(folder, path);
    if (file === null) return { kind: 'none' };
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return { kind: 'none' };
      if (stat.size > maxBytes) return { kind: 'too-large', size: stat.size };
      return { kind: 'bytes', bytes: await readBytes(file, 0, stat.size) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasErrorCode(error, ...UNREADABLE)) return { kind: 'none' };
    throw error;
  }
}

async function openInside(workspace: string, path: string): Promise<FileHandle | null> {
  const target = join(workspace, path);
  const root = await realpath(workspace);
  const folder = await realpath(dirname(target));
  if (folder !== root && !folder.startsWith(root + sep)) return null;
  return open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

async function readCapped(
  file: FileHandle,
  maxBytes: number,
  redact: (text: string) => string,
): Promise<string | null> {
  const stat = await file.stat();
  if (!stat.isFile()) return null;
  const { size } = stat;
  if (size <= maxBytes) return redact(await readRange(file, 0, size));
  const half = Math.floor(maxBytes / 2);
  const window = Math.min(size, half + MARGIN_BYTES);
  const head = redact(await readRange(file, 0, window)).slice(0, half);
  const tail = redact(await readRange(file, size - window, window)).slice(-half);
  return `${head}\n[… ${size - maxBytes} bytes left out …]\n${tail}`;
}

async function readRange(file: FileHandle, position: number, length: number): Promise<string> {
  return (await readBytes(file, position, length)).toString('utf8');
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
