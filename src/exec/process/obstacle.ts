import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readStart } from '../files/read-start.js';
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
  try {
    return /^#![ \t]*(\S+)/.exec(readStart(path, 256))?.[1] ?? null;
  } catch {
    return null;
  }
}
