import { createHash } from 'node:crypto';
import { nameChecks } from '../../domain/check.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { sabotageAll } from './sabotage.js';

/**
 * Computes a hash that changes if a scenario arranges, expects or plays something else, or has other saboteurs. It does
 * not include the code of the checks; the version of the harness covers that.
 */
export function fingerprint(catalogue: readonly Scenario[]): string {
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
