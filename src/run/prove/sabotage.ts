import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AgentScript } from '../../domain/agent-script.js';
import { nameChecks } from '../../domain/check.js';
import type { SaboteurSort } from '../../domain/proof/proof.js';
import type { FailureType } from '../../domain/report/analysis.js';
import { failureOf, type Saboteur, sortOf } from '../../domain/scenario/saboteur.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario, ScenarioOf } from '../../domain/scenario/scenario.js';
import type { StandInFault } from '../../domain/scenario/stand-in-faults.js';

/** A saboteur, and the scenario that it broke. */
export interface Sabotaged {
  readonly name: string;
  readonly breaks: SaboteurSort;
  readonly kills: readonly string[];
  readonly failure: FailureType;
  /** How the target misbehaves. Its environment carries the fault; the scenario stays the same. */
  readonly fault: StandInFault | null;
  readonly spoilt: Scenario;
}

/** Applies each of the scenario's own saboteurs to it. */
export function sabotageAll(scenario: Scenario): Sabotaged[] {
  switch (scenario.kind) {
    case 'ralph':
      return describeEach(scenario, (saboteur) => spoil(scenario, saboteur));
    case 'conversation':
      return describeEach(scenario, (saboteur) => spoil(scenario, saboteur));
    default:
      return scenario satisfies never;
  }
}

function describeEach<Plan>(
  { saboteurs }: ScenarioOf<string, Plan>,
  spoilWith: (saboteur: Saboteur<Plan>) => Scenario,
): Sabotaged[] {
  return Object.entries(saboteurs).map(([name, saboteur]) => ({
    name,
    breaks: sortOf(saboteur),
    kills: saboteur.kills,
    failure: failureOf(saboteur),
    fault: 'target' in saboteur ? saboteur.target : null,
    spoilt: spoilWith(saboteur),
  }));
}

function spoil<Kind extends string, Plan>(
  scenario: ScenarioOf<Kind, Plan>,
  saboteur: Saboteur<Plan>,
): ScenarioOf<Kind, Plan> {
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

/** Whether a saboteur changed the agent script: one that changes nothing proves nothing. */
export function changesAgent(scenario: Scenario, spoilt: Scenario): boolean {
  return !isDeepStrictEqual(scenario.agent, spoilt.agent);
}

/**
 * Computes a hash that changes if a scenario arranges, expects or plays something else, or has other saboteurs. It does
 * not include the code of the checks; the version of the harness covers that.
 */
export function fingerprintCatalogue(catalogue: readonly Scenario[]): string {
  const hash = createHash('sha256');
  for (const scenario of catalogue) hash.update(JSON.stringify(describe(scenario)));
  return hash.digest('hex').slice(0, 16);
}

function describe(scenario: Scenario) {
  const [backend = 'claude'] = scenario.backends;
  const [lane = 'sim'] = scenario.lanes.filter((name) => name !== 'live');
  const context = sampleContext(backend, lane);
  const { id, backends, lanes, agent, knownIssue, notApplicable, exempt } = scenario;
  return {
    id,
    backends,
    lanes,
    agent,
    knownIssue,
    notApplicable,
    exempt,
    arranged: scenario.arrange(context),
    expected: nameChecks(scenario.expect(context)).map(({ key, kind, name, guard }) => ({
      key,
      kind,
      name,
      guard,
    })),
    saboteurs: sabotageAll(scenario).map(({ name, kills, failure, fault, spoilt }) => ({
      name,
      kills,
      failure,
      fault,
      agent: spoilt.agent,
      arranged: spoilt.arrange(context),
    })),
  };
}
