import type { Readiness } from '../../domain/evidence/readiness.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';
import type { Selected } from './selected.js';

/** Lists every backend that takes part: those under test and their companions. */
export function withCompanions(selected: readonly Selected[], lane: Lane): BackendId[] {
  const all = selected.flatMap(({ scenario, backend }) => [
    backend,
    ...scenario.companions({ backend, lane }),
  ]);
  return [...new Set(all)];
}

/** Why a required companion backend is unavailable, or null. */
export function whyCompanionMissing(
  { scenario, backend }: Selected,
  readiness: ReadonlyMap<BackendId, Readiness>,
  lane: Lane,
): string | null {
  const missing = scenario
    .companions({ backend, lane })
    .flatMap((id) => readiness.get(id) ?? [])
    .find(({ ready }) => !ready);
  return missing === undefined ? null : `also needs ${missing.backend}: ${missing.reason}`;
}
