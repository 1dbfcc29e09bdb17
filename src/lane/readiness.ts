import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { assessReadiness, BACKENDS, type Environment, findInherited } from '../backends/index.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import type { BackendId, Lane } from '../domain/vocabulary.js';

/** Finds out which backends can be used in a lane, all at the same time. */
export async function assessBackends(
  backends: readonly BackendId[],
  lane: Lane,
  env: Environment,
  signal?: AbortSignal,
): Promise<Map<BackendId, Readiness>> {
  const answers = await Promise.all(
    backends.map(
      async (id): Promise<[BackendId, Readiness]> => [
        id,
        await assessReadiness(BACKENDS[id], lane, { env, signal }),
      ],
    ),
  );
  return new Map(answers);
}

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
