import { assessReadiness, BACKENDS, type Environment } from '../backends/index.js';
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
