import { nameIn } from '../../domain/backends.js';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import type { RunCall } from '../../domain/run-call.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { type BackendId, comparePlaces, groupTitle, type Lane } from '../../domain/vocabulary.js';
import { packageRoot } from '../../exec/files/package-root.js';
import { renderScenarioPage } from '../../report/scenario-page.js';
import { countOf } from '../../report/words/words.js';
import { countCalls } from '../../run/money/calls.js';
import type { Selected } from '../../run/planned.js';
import { countUnasked, type Selection, selectScenarios } from '../../run/select/select.js';
import { type TakenShard, takeShard } from '../../run/select/shard.js';

interface ListOptions {
  readonly json: boolean;
  /** Prints the page of each scenario: what it asks and checks. */
  readonly verbose: boolean;
}

/** Lists the scenarios that a run with the same arguments would take, for people or as JSON. */
export function listScenarios(
  catalogue: readonly Scenario[],
  selection: RunCall,
  { json, verbose }: ListOptions,
): string {
  if (selection.lastFailed)
    throw new KnownError('--list and --last-failed cannot be combined: what failed is known when Ralph is.', {
      hint: 'A run with --last-failed says at its start what it takes. `ralph-e2e show` has what failed.',
    });
  const shard = planShard(catalogue, selection);
  const selected = shard?.part ?? selectScenarios(catalogue, selection);
  const chosen = new Set(selected.map(({ scenario }) => scenario));
  const onlyHere = (scenario: Scenario): Scenario => ({
    ...scenario,
    backends: scenario.backends.filter((backend) => isIn(selected, scenario, backend)),
  });
  const scenarios = catalogue
    .filter((scenario) => chosen.has(scenario))
    .toSorted(comparePlaces)
    .map(onlyHere);
  if (json)
    return JSON.stringify(
      scenarios.map((scenario) => describe(scenario, selected, selection)),
      null,
      2,
    );
  if (verbose) return scenarios.map((scenario) => renderScenarioPage(scenario, packageRoot())).join('\n\n');
  return [
    ...renderList(scenarios),
    `${countOf(selected.length, 'test')} (${countOf(scenarios.length, 'scenario')}); agent calls: ${countByBackend(selected, selection.lane)}`,
    ...(shard === null ? [] : [describePart(shard)]),
    ...describeUnasked(countUnasked(catalogue, selection)),
    ...describeOffline(catalogue, selection),
  ].join('\n');
}

/** Plans the part that a run with the same arguments would take; null without `--shard`. */
function planShard(catalogue: readonly Scenario[], call: RunCall): TakenShard | null {
  if (call.shard === null) return null;
  return takeShard(selectScenarios(catalogue, call), call.shard, call.lane);
}

function isIn(selected: readonly Selected[], scenario: Scenario, backend: BackendId): boolean {
  return selected.some((test) => test.scenario === scenario && test.backend === backend);
}

function describePart({ index, total, part, all }: TakenShard): string {
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
function describeOffline(catalogue: readonly Scenario[], call: RunCall): string[] {
  const { lane, suite, tests } = call;
  if (lane === 'sim' || suite === 'smoke' || suite === 'once' || tests.length > 0) return [];
  const onlyThere = catalogue.filter(({ lanes }) => lanes.includes('sim') && !lanes.includes(lane));
  const more = new Set(selectOrNone(onlyThere, { ...call, lane: 'sim' }).map(({ scenario }) => scenario))
    .size;
  return more === 0
    ? []
    : [`In the sim lane, ${countOf(more, 'more scenario')} would run: see --lane sim --list.`];
}

function selectOrNone(catalogue: readonly Scenario[], call: RunCall): readonly Selected[] {
  try {
    return selectScenarios(catalogue, call);
  } catch (error) {
    // Nothing here fits the call.
    if (isKnownError(error)) return [];
    throw error;
  }
}

/** Counts the agent calls of a good run on each backend: `12 on claude, 11 on kiro`. */
function countByBackend(selected: readonly Selected[], lane: Lane): string {
  const counts = new Map<BackendId, number>();
  for (const { scenario, backend } of selected)
    counts.set(backend, (counts.get(backend) ?? 0) + countCalls(scenario, backend, lane));
  return [...counts].map(([backend, count]) => `${count} on ${nameIn(lane, backend, backend)}`).join(', ');
}

function describe(scenario: Scenario, selected: readonly Selected[], { lane }: Selection) {
  const { id, placed, kind, priority, description, backends, lanes, covers } = scenario;
  const [tier, phase] = placed ? [scenario.tier, scenario.phase] : [null, null];
  const [first] = selected.filter((test) => test.scenario.id === id);
  const agent_calls = countCalls(scenario, first?.backend ?? 'claude', lane);
  return { id, tier, kind, priority, phase, description, backends, lanes, covers, agent_calls };
}

function renderList(scenarios: readonly Scenario[]): string[] {
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
