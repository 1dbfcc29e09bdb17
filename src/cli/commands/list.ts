import { nameIn } from '../../domain/backends.js';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import type { RunCall } from '../../domain/run-call.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { type BackendId, comparePlaces, groupTitle, type Lane } from '../../domain/vocabulary.js';
import { packageRoot } from '../../exec/files/package-root.js';
import { countOf } from '../../report/text/count-of.js';
import type { Listed, Selected } from '../../run/planned.js';
import { countUnasked, refuseIdleBackends, selectScenarios } from '../../run/select/select.js';
import type { TakenShard } from '../../run/select/shard.js';
import { callsOf } from '../../run/select/suites.js';

/** Lists the scenarios that a run with the same arguments would take, for people or as JSON. */
export async function listTests(
  catalogue: readonly Listed[],
  call: RunCall,
  { json }: { readonly json: boolean },
): Promise<string> {
  const { selected, scenarios, shard } = await choose(catalogue, call);
  if (json)
    return JSON.stringify(
      scenarios.map((scenario) => describe(scenario, call)),
      null,
      2,
    );
  return [
    ...renderList(scenarios),
    `${countOf(selected.length, 'test')} (${countOf(scenarios.length, 'scenario')}); agent calls: ${countByBackend(selected, call.lane)}`,
    ...(shard === null ? [] : [describePart(shard)]),
    ...describeUnasked(countUnasked(catalogue, call)),
    ...describeOffline(catalogue, call),
  ].join('\n');
}

/** The same as pages: what each scenario asks and checks. */
export async function listPages(catalogue: readonly Scenario[], call: RunCall): Promise<string> {
  const { scenarios } = await choose(catalogue, call);
  const { renderScenarioPage } = await import('../../report/scenario-page.js');
  return scenarios.map((scenario) => renderScenarioPage(scenario, packageRoot())).join('\n\n');
}

/** Chooses what a run with the same arguments would take: its tests, and its scenarios with the backends of these. */
async function choose<Any extends Listed>(catalogue: readonly Any[], call: RunCall) {
  refuseIdleBackends(catalogue, call);
  if (call.lastFailed)
    throw new KnownError('--list and --last-failed cannot be combined: what failed is known when Ralph is.', {
      hint: 'A run with --last-failed says at its start what it takes. `ralph-e2e show` has what failed.',
    });
  const whole = selectScenarios(catalogue, call);
  const shard =
    call.shard === null
      ? null
      : (await import('../../run/select/shard.js')).takeShard(whole, call.shard, call.lane);
  const selected = shard?.part ?? whole;
  const backends = new Map<Any, BackendId[]>();
  for (const { scenario, backend } of selected)
    backends.set(scenario, [...(backends.get(scenario) ?? []), backend]);
  const scenarios = [...backends]
    .map(([scenario, here]): Any => ({ ...scenario, backends: here }))
    .toSorted(comparePlaces);
  return { selected, scenarios, shard };
}

function describePart({ index, total, part, all }: TakenShard<Listed>): string {
  return `Shard ${index} of ${total}: ${part.length} of ${countOf(all, 'test')}.`;
}

/** Says how many conversations and plugin tests a live run leaves out. */
export function describeUnasked(unasked: number): string[] {
  if (unasked === 0) return [];
  return [
    `Not included: ${countOf(unasked, 'test')} of conversations and plugins. Add --suite all to run them.`,
  ];
}

/** Says how many scenarios of this choice run in the sim lane and not in this one: a live run is no replacement for it. */
function describeOffline(catalogue: readonly Listed[], call: RunCall): string[] {
  const { lane, suite, tests } = call;
  if (lane === 'sim' || suite === 'smoke' || suite === 'once' || tests.length > 0) return [];
  const onlyThere = catalogue.filter(({ lanes }) => lanes.includes('sim') && !lanes.includes(lane));
  const more = new Set(selectOrNone(onlyThere, { ...call, lane: 'sim' }).map(({ scenario }) => scenario))
    .size;
  return more === 0
    ? []
    : [`In the sim lane, ${countOf(more, 'more scenario')} would run: see --lane sim --list.`];
}

function selectOrNone(catalogue: readonly Listed[], call: RunCall): readonly Selected<Listed>[] {
  try {
    return selectScenarios(catalogue, call);
  } catch (error) {
    // Nothing here fits the call.
    if (isKnownError(error)) return [];
    throw error;
  }
}

/** Counts the agent calls of a good run on each backend: `12 on claude, 11 on kiro`. */
function countByBackend(selected: readonly Selected<Listed>[], lane: Lane): string {
  const counts = new Map<BackendId, number>();
  for (const test of selected)
    counts.set(test.backend, (counts.get(test.backend) ?? 0) + callsOf(test, lane));
  return [...counts].map(([backend, count]) => `${count} on ${nameIn(lane, backend, backend)}`).join(', ');
}

function describe(scenario: Listed, { lane }: RunCall) {
  const { id, placed, kind, priority, description, backends, lanes, covers } = scenario;
  const [tier, phase] = placed ? [scenario.tier, scenario.phase] : [null, null];
  const [backend = 'claude'] = backends;
  const agent_calls = callsOf({ scenario, backend }, lane);
  return { id, tier, kind, priority, phase, description, backends, lanes, covers, agent_calls };
}

function renderList(scenarios: readonly Listed[]): string[] {
  const width = Math.max(...scenarios.map(({ id }) => id.length));
  const lines: string[] = [];
  const hasTiers = scenarios.some(({ placed }) => placed);
  let group: string | null = null;
  for (const scenario of scenarios) {
    const title = groupTitle(scenario);
    if (hasTiers && title !== group) lines.push(...(group === null ? [] : ['']), title);
    group = title;
    const on = scenario.tiedToBackend ? '' : ` (on ${scenario.backends.join(', ')})`;
    lines.push(`  ${scenario.id.padEnd(width)}  ${scenario.description}${on}`);
  }
  return [...lines, ''];
}
