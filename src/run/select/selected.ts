import type { Scenario } from '../../domain/scenario/scenario.js';
import type { BackendId } from '../../domain/vocabulary.js';

/** A test to run: a scenario on a backend. */
export interface Selected {
  readonly scenario: Scenario;
  readonly backend: BackendId;
  /** The backend that takes part as the second one, if the scenario wants any other; known once readiness is. */
  readonly second?: BackendId;
}
