import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findExecutable } from '../../src/exec/find-executable.js';
import { tempFolder } from './cli.js';

/** What a reproduction may start. POSIX has all but git, mktemp, seq, and script, which only an interface needs. */
const PROGRAMS =
  'basename cat chmod cp cut dirname env git grep kill ls mkdir mkfifo mktemp paste ps rm script sed seq sh sleep sort stty tail tr wc touch';

/** Makes a folder with these programs alone, for PATH. */
export function posixPath(): string {
  const folder = tempFolder();
  for (const name of PROGRAMS.split(' '))
    symlinkSync(findExecutable(name, process.env.PATH) ?? name, join(folder, name));
  return folder;
}
