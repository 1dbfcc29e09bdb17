import { BACKENDS, type Environment } from '../../backends/index.js';
import type { Target } from '../../domain/attempt.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import type { SkipNeed } from '../../domain/report/skip-cause.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { type BackendId, LANE_TRAITS, type Lane, PRIMARY_BACKENDS } from '../../domain/vocabulary.js';
import { findExecutable } from '../../exec/find-executable.js';
import { explainUnplayed } from '../../kinds/conversation/plugins/lay-out.js';
import { tryScenario } from '../attempt/scenario-code.js';
import type { Selected } from '../planned.js';

/** Why a test is skipped, and what runs it if its lane or the stand-in for Ralph never does. */
interface Obstacle {
  readonly reason: string;
  readonly needs?: SkipNeed;
}

/** Why a scenario can never run in this lane on this kind of target, whatever the machine has, or null if it can. */
export function whyNever(
  { scenario, backend }: Selected,
  { lane, target }: { readonly lane: Lane; readonly target: Pick<Target, 'kind'> },
): Obstacle | null {
  const unplayable = scenario.unplayable[lane];
  if (unplayable !== undefined) return { reason: unplayable, ...findOtherLane(scenario, backend) };
  if (scenario.beyondStandIn === null || target.kind !== 'stand-in') return null;
  return {
    reason: `needs a real ralph: the stand-in for it cannot do this (${scenario.beyondStandIn})`,
    needs: 'real-ralph',
  };
}

/** The free lane first; a CLI may have no scripted one. */
function findOtherLane({ lanes, unplayable }: Scenario, backend: BackendId): Pick<Obstacle, 'needs'> {
  const plays = (lane: Lane) => lanes.includes(lane) && unplayable[lane] === undefined;
  if (plays('scripted') && BACKENDS[backend].scripted.possible) return { needs: 'scripted-lane' };
  return plays('live') ? { needs: 'live-lane' } : {};
}

/** Why a scenario cannot run here (its lane, a stand-in, a program, its backend or a companion), or null if it can. */
export async function whySkipped(
  selected: Selected,
  readiness: ReadonlyMap<BackendId, Readiness>,
  call: { readonly lane: Lane; readonly env: Environment; readonly target: Pick<Target, 'kind'> },
): Promise<Obstacle | null> {
  const { scenario, backend } = selected;
  const absent = scenario.programs.find((program) => findExecutable(program, call.env.PATH) === null);
  const never = whyNever(selected, call);
  if (never !== null) return never;
  const missing =
    (absent === undefined ? null : `needs ${absent}, which is not on PATH`) ??
    readiness.get(backend)?.reason ??
    whyCompanionMissing(selected, readiness, call.lane);
  if (missing !== null) return { reason: missing };
  const unplayed = await whyUnplayed(selected, call.lane);
  return unplayed === null ? null : { reason: unplayed, ...findOtherLane(scenario, backend) };
}

/** A scenario or a plugin that cannot be laid out gets its error in its attempt. */
async function whyUnplayed({ scenario, backend }: Selected, lane: Lane): Promise<string | null> {
  if (scenario.kind !== 'conversation' || backend !== 'claude' || !LANE_TRAITS[lane].standIns) return null;
  const { plugins = [] } = tryScenario(() => scenario.arrange(sampleContext(backend, lane)), { turns: [] });
  return plugins.length === 0 ? null : explainUnplayed(plugins).catch(() => null);
}

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
