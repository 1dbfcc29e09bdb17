import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';
import { readMaxIterations } from '../../lane/time-limit.js';
import { tryScenario } from '../attempt/scenario-code.js';

/** What an agent call of a scenario is: an iteration of a loop, or a turn of a conversation. */
export type CallKind = 'iteration' | 'turn';

/** The calls of a test for which neither the scenario nor its configuration has a number. */
const UNKNOWN_CALLS = 3;

export function callKindOf(scenario: Scenario): CallKind {
  return scenario.kind === 'ralph' ? 'iteration' : 'turn';
}

/** Counts the agent calls of a good run of this scenario. */
export function countCalls(scenario: Scenario, backend: BackendId, lane: Lane): number {
  switch (scenario.kind) {
    case 'ralph': {
      const { expectedIterations, arrange } = scenario;
      if (expectedIterations !== null) return expectedIterations;
      const known = () => readMaxIterations(arrange(sampleContext(backend, lane)).config);
      return tryScenario(known, null) ?? UNKNOWN_CALLS;
    }
    case 'conversation': {
      const { arrange } = scenario;
      return tryScenario(() => arrange(sampleContext(backend, lane)).turns.length, UNKNOWN_CALLS);
    }
    default:
      return scenario satisfies never;
  }
}

/** Returns false if the agent gets no valid login, so that no model answers. */
export function isPaid(scenario: Scenario, backend: BackendId, lane: Lane): boolean {
  if (scenario.kind !== 'ralph') return true;
  return tryScenario(() => scenario.arrange(sampleContext(backend, lane)).credentials !== 'refused', true);
}
