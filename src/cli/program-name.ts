import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { findExecutable } from '../exec/find-executable.js';

const NAME = 'ralph-e2e';

/** Returns the words that start this program again from here: its name, npx with its name, or node with its path. */
export function describeProgram(script: string, pathVariable: string | undefined): string[] {
  const found = findExecutable(NAME, pathVariable);
  const inModules = script.includes(`${sep}node_modules${sep}`);
  // npx puts node_modules/.bin on PATH only for its child: the user's shell would not find the name there.
  if (found !== null && !found.includes(`${sep}node_modules${sep}`) && sameFile(found, script)) return [NAME];
  if (inModules) return ['npx', NAME];
  const here = relative(process.cwd(), script);
  return ['node', here.startsWith('..') || isAbsolute(here) ? script : here];
}

function sameFile(a: string, b: string): boolean {
  return realpathSync(a) === realpathSync(b);
}
