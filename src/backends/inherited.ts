import { existsSync } from 'node:fs';
import type { Backend, Environment } from './backend.js';

/** Finds existing files in the user's HOME and on the machine that a live run would inherit. */
export function findInherited(backend: Backend, env: Environment): readonly string[] {
  return backend.inheritedFiles(env).filter((path) => existsSync(path));
}
