import type { Readiness } from '../../domain/evidence/readiness.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';
import type { Selected } from './selected.js';

/** Every backend that takes part: those under test, and those that scenarios use besides. */
export function withCompanions(selected: readonly Selected[], lane: Lane): BackendId[] {
  const all = selected.flatMap(({ scenario, backend }) => [
    backend,
    ...scenario.companions({ backend, lane }),
  ]);
  return [...new Set(all)];
}

/** Why a backend that takes part besides the one under test cannot. */
export function whyCompanionMissing(
  { scenario, backend }: Selected,
  readiness: ReadonlyMap<BackendId, Readiness>,
  lane: Lane,
): string | null {
  const missing = scenario
    .companions({ backend, lane })
    .flatMap((id) => readiness.get(id) ?? [])
    .find(({ ready }) => !ready);
  return missing === undefined ? null : `needs ${missing.backend} too: ${missing.reason}`;
}
