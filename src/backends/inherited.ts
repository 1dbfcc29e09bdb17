import { existsSync } from 'node:fs';
import type { Backend, Environment } from './backend.js';

/** What there is, of all that a live run could take over from the user's HOME and the machine. */
export function findInherited(backend: Backend, env: Environment): readonly string[] {
  return backend.inheritedFiles(env).filter((path) => existsSync(path));
}
