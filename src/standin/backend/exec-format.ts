import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { readErrorCode } from '../failure.js';

/**
 * Whether the kernel would refuse to run a program: a text file without `#!`. The real Ralph reports that refusal;
 * Node silently passes such a file to a shell instead.
 */
export function hasExecFormatError(command: string, searchPath: string, workspace: string): boolean {
  const file = findProgram(command, searchPath, workspace);
  if (file === undefined) return false;
  const head = readHead(file);
  const isText = head.every((byte) => byte !== 0 && byte !== 0x7f && byte < 0x80);
  return isText && head.subarray(0, 2).toString() !== '#!';
}

/** Finds the file of a command the way the kernel and a shell do. */
export function findProgram(command: string, searchPath: string, workspace: string): string | undefined {
  const candidates = command.includes('/')
    ? [resolve(workspace, command)]
    : searchPath.split(delimiter).map((folder) => join(folder, command));
  return candidates.find((path) => {
    const found = findFile(path);
    return found !== undefined && (found.mode & 0o111) !== 0;
  });
}

/** Returns the stats of a visible file; a folder that is inaccessible or missing counts as empty. */
export function findFile(path: string): Stats | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? found : undefined;
  } catch (error) {
    if (readErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

function readHead(path: string): Buffer {
  const head = Buffer.alloc(4);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    // The program is executable but not readable; only the kernel can tell.
    return Buffer.from([0]);
  }
  try {
    return head.subarray(0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
}
