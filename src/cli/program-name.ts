import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { findExecutable } from '../exec/find-executable.js';

const NAME = 'ralph-e2e';

/** The words with which the same program can be called again from here: its name, through npx, or by its path. */
export function describeProgram(script: string, pathVariable: string | undefined): string[] {
  const found = findExecutable(NAME, pathVariable);
  const inModules = script.includes(`${sep}node_modules${sep}`);
  // npx puts node_modules/.bin on PATH for its child only: a shell would not find the name there.
  if (found !== null && !found.includes(`${sep}node_modules${sep}`) && sameFile(found, script)) return [NAME];
  if (inModules) return ['npx', NAME];
  const here = relative(process.cwd(), script);
  return ['node', here.startsWith('..') || isAbsolute(here) ? script : here];
}

function sameFile(a: string, b: string): boolean {
  return realpathSync(a) === realpathSync(b);
}
