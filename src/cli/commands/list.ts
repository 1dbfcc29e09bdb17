import type { Scenario } from '../../domain/scenario/scenario.js';
import { tierTitle } from '../../domain/vocabulary.js';
import { type Selection, selectScenarios } from '../../run/select/select.js';

/** Lists the scenarios that a run with the same arguments would take, for people or as JSON. */
export function listScenarios(
  catalogue: readonly Scenario[],
  selection: Selection,
  { json }: { json: boolean },
): string {
  const chosen = new Set(selectScenarios(catalogue, selection).map(({ scenario }) => scenario));
  const scenarios = catalogue.filter((scenario) => chosen.has(scenario));
  return json ? JSON.stringify(scenarios.map(describe), null, 2) : renderList(scenarios);
}

function describe({ id, tier, kind, priority, phase, description, backends, lanes, covers }: Scenario) {
  return { id, tier, kind, priority, phase, description, backends, lanes, covers };
}

function renderList(scenarios: readonly Scenario[]): string {
  const width = Math.max(...scenarios.map(({ id }) => id.length));
  const lines: string[] = [];
  let tier: number | null = null;
  for (const scenario of scenarios) {
    if (scenario.tier !== tier) lines.push(...(tier === null ? [] : ['']), tierTitle(scenario.tier));
    tier = scenario.tier;
    const on = scenario.tiedToBackend ? '' : ` (on ${scenario.backends.join(', ')})`;
    lines.push(`  ${scenario.id.padEnd(width)}  ${scenario.description}${on}`);
  }
  return [...lines, '', scenarios.length === 1 ? '1 scenario' : `${scenarios.length} scenarios`].join('\n');
}
