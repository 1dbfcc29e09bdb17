import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { redactText } from '../../exec/redact.js';

/** Reads texts that a run left in its workspace: confined to it, bounded, free of credentials. */
export interface WorkspaceReader {
  /** The text of a file, or null where there is none. Over the limit, its beginning and its end. */
  read(path: string, maxBytes?: number): Promise<string | null>;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Makes a reader for a workspace. A link that leads out of it reads as a missing file: the agent may have made it. */
export function createReader(workspace: string, secrets: readonly string[]): WorkspaceReader {
  return {
    async read(path, maxBytes = MAX_BYTES) {
      const file = await locate(workspace, path);
      if (file === null) return null;
      const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const stat = await handle.stat();
        if (!stat.isFile()) return null;
        const text =
          stat.size <= maxBytes
            ? await readRange(handle, 0, stat.size)
            : `${await readRange(handle, 0, maxBytes / 2)}\n[… ${stat.size - maxBytes} bytes left out …]\n${await readRange(handle, stat.size - maxBytes / 2, maxBytes / 2)}`;
        return redactText(text, secrets);
      } finally {
        await handle.close();
      }
    },
  };
}

async function locate(workspace: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(workspace);
    const file = await realpath(join(workspace, path));
    const inside = relative(root, file);
    return inside.startsWith(`..${sep}`) || inside === '..' || isAbsolute(inside) ? null : file;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code))
  );
}

async function readRange(
  handle: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<string> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead).toString('utf8');
}
