import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';
import { readMaxIterations } from '../../lane/time-limit.js';
import { tryScenario } from '../attempt/scenario-code.js';

/** How often a test calls its agent: once for each iteration of a loop, or for each turn of a conversation. */
export interface Calls {
  readonly kind: 'iteration' | 'turn';
  readonly count: number;
  /** False if the agent gets no valid login, so that no model answers. */
  readonly paid: boolean;
}

/** The iterations of a loop for which neither the scenario nor its configuration has a number. */
const UNKNOWN_ITERATIONS = 3;

/** Counts the agent calls of a good run of this scenario. */
export function countCalls(scenario: Scenario, backend: BackendId, lane: Lane): Calls {
  const kind = scenario.kind === 'ralph' ? 'iteration' : 'turn';
  return tryScenario(() => count(scenario, sampleContext(backend, lane)), {
    kind,
    count: UNKNOWN_ITERATIONS,
    paid: true,
  });
}

function count(scenario: Scenario, context: ScenarioContext): Calls {
  switch (scenario.kind) {
    case 'ralph': {
      const { config, credentials } = scenario.arrange(context);
      return {
        kind: 'iteration',
        count: scenario.expectedIterations ?? readMaxIterations(config) ?? UNKNOWN_ITERATIONS,
        paid: credentials !== 'refused',
      };
    }
    case 'conversation':
      return { kind: 'turn', count: scenario.arrange(context).turns.length, paid: true };
    default:
      return scenario satisfies never;
  }
}
