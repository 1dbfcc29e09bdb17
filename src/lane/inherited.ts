import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { BACKENDS, findInherited } from '../backends/index.js';
import type { BackendId } from '../domain/vocabulary.js';

/** Lists what a live run inherits from the user: it may explain a result that other machines do not show. */
export function listInherited(
  backends: readonly BackendId[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const defined = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  // Ralph merges this file into the configuration of every run.
  const ralph = join(env.HOME ?? homedir(), '.ralph', 'config.yml');
  return [
    ...(existsSync(ralph) ? [ralph] : []),
    ...backends.flatMap((backend) => findInherited(BACKENDS[backend], defined)),
  ];
}
