import { isDeepStrictEqual } from 'node:util';
import type { AgentScript } from '../../domain/agent-script.js';
import type { Saboteur } from '../../domain/saboteur.js';
import type { Scenario } from '../../domain/scenario.js';

/** A scenario with its agent or its arrangement broken. The target is broken by the environment, not here. */
export function sabotage(scenario: Scenario, saboteur: Saboteur): Scenario {
  if ('agent' in saboteur) return { ...scenario, agent: spoilAgent(scenario.agent, saboteur.agent) };
  if ('config' in saboteur) {
    const { config } = saboteur;
    return { ...scenario, arrange: (context) => config(scenario.arrange(context), context) };
  }
  return scenario;
}

function spoilAgent(
  script: AgentScript,
  change: Extract<Saboteur, { agent: unknown }>['agent'],
): AgentScript {
  return typeof change === 'function' ? change(script) : { ...script, rules: change.map(({ rule }) => rule) };
}

/** A saboteur that changes nothing proves nothing. */
export function changesAgent(scenario: Scenario, spoilt: Scenario): boolean {
  return !isDeepStrictEqual(scenario.agent, spoilt.agent);
}
