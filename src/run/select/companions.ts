import type { Readiness } from '../../domain/evidence/readiness.js';
import { type BackendId, type Lane, PRIMARY_BACKENDS } from '../../domain/vocabulary.js';
import type { Selected } from '../planned.js';

type KnownReadiness = ReadonlyMap<BackendId, Readiness>;

/** Lists every backend that takes part or may take part: those under test, and their possible companions. */
export function withCompanions(selected: readonly Selected[], lane: Lane): BackendId[] {
  const under = [...new Set(selected.map(({ backend }) => backend))];
  const all = selected.flatMap(({ scenario, backend }) => [
    backend,
    ...listOthers(backend, under).flatMap((second) => scenario.companions({ backend, lane, second })),
  ]);
  return [...new Set(all)];
}

/**
 * Gives each test the second backend that it would use: the first other one that is ready, those under test first. A shard
 * names the backends of the whole run, so that its tests are the same as there.
 */
export function withSecond(
  selected: readonly Selected[],
  readiness: KnownReadiness,
  under: readonly BackendId[],
): Selected[] {
  return selected.map((test) => {
    const others = listOthers(test.backend, under);
    const second = others.find((id) => readiness.get(id)?.ready === true);
    return second === undefined ? test : { ...test, second };
  });
}

/** Why a required companion backend is unavailable, or null. */
export function whyCompanionMissing(
  { scenario, backend, second }: Selected,
  readiness: KnownReadiness,
  lane: Lane,
): string | null {
  const possible = second === undefined ? listOthers(backend, []) : [second];
  const reasons = possible.map((other) => {
    const missing = scenario
      .companions({ backend, lane, second: other })
      .flatMap((id) => readiness.get(id) ?? [])
      .find(({ ready }) => !ready);
    return missing === undefined ? null : `${missing.backend}: ${missing.reason}`;
  });
  return reasons.includes(null) ? null : `also needs ${[...new Set(reasons)].join('; or ')}`;
}

function listOthers(backend: BackendId, under: readonly BackendId[]): readonly BackendId[] {
  return [...new Set([...under, ...PRIMARY_BACKENDS])].filter((id) => id !== backend);
}
