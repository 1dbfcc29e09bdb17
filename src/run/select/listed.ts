import type { Scenario } from '../../domain/scenario/scenario.js';
import { countCalls } from '../money/calls.js';
import type { ListedScenario } from '../planned.js';
import { isPlain } from './suites.js';

/**
 * Describes a scenario of ours for the index of the catalogue, from which calls choose that run nothing. So `--list` needs no
 * code of any scenario.
 */
export function listScenario(scenario: Scenario): ListedScenario {
  const { id, kind, tier, placed, priority, phase, description, covers } = scenario;
  const { backends, lanes, tiedToBackend, gate } = scenario;
  const counts = new Set(
    backends.flatMap((backend) => lanes.map((lane) => countCalls(scenario, backend, lane))),
  );
  const [calls = 0] = counts;
  if (counts.size > 1)
    throw new Error(`${id}: expected as many agent calls everywhere, found ${[...counts].join(', ')}`);
  const plainOn = backends.filter((backend) => isPlain({ scenario, backend }));
  return {
    ...{ id, kind, tier, placed, priority, phase, description, covers },
    ...{ backends, lanes, tiedToBackend, gate, calls, plainOn },
  };
}
