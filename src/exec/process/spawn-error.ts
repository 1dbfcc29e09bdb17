import { existsSync } from 'node:fs';
import { messageOf } from '../../domain/common/message-of.js';
import { findExecutable } from '../find-executable.js';

/** Why a process could not be started at all. */
export interface SpawnError {
  readonly code: string;
  readonly message: string;
}

/** What should have been started. */
export interface SpawnRequest {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Explains a spawn error. The system blames the program even if the working folder is missing or PATH is unreadable. */
export function explainSpawnError(error: unknown, { command, cwd, env }: SpawnRequest): SpawnError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  if (code === 'ENOENT' && !existsSync(cwd)) {
    return { code, message: `the working folder ${cwd} does not exist` };
  }
  const isMissing = code === 'ENOENT' || code === 'EACCES';
  if (isMissing && !command.includes('/') && findExecutable(command, env.PATH) === null) {
    return { code: 'ENOENT', message: `${command} is not an executable file in any folder on PATH` };
  }
  if (code === 'ENOENT')
    return { code, message: `${command}, or the interpreter that it names, does not exist` };
  if (code === 'EACCES') return { code, message: `${command} is not executable by this user` };
  const reason = messageOf(error);
  return { code, message: `cannot start ${command}: ${reason}` };
}
