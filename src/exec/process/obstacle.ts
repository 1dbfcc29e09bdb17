import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findExecutable } from '../find-executable.js';
import type { SpawnRequest } from './spawn-error.js';

/** Finds the error with which the system would refuse to start a program; null if nothing is in the way. */
export function findObstacle({ command, cwd, env }: SpawnRequest): unknown {
  try {
    statSync(cwd);
    const path = command.includes('/') ? resolve(cwd, command) : findExecutable(command, env.PATH);
    if (path === null) return Object.assign(new Error(`${command} is not on PATH`), { code: 'ENOENT' });
    requireExecutable(path);
    return null;
  } catch (error) {
    return error;
  }
}

function requireExecutable(path: string): void {
  accessSync(path, constants.X_OK);
  // A folder may be entered, which is not the same.
  if (!statSync(path).isFile()) throw Object.assign(new Error(`${path} is no file`), { code: 'EACCES' });
  const interpreter = readInterpreter(path);
  if (interpreter !== null) accessSync(interpreter, constants.X_OK);
}

/** Reads the first line of a script: `#!/bin/sh`. Null if it is none, or may be executed but not read. */
function readInterpreter(path: string): string | null {
  const start = Buffer.alloc(256);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, start, 0, start.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
  return /^#![ \t]*(\S+)/.exec(start.toString('latin1'))?.[1] ?? null;
}
