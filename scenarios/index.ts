import type { Scenario } from '../src/authoring.js';
import { connectivity } from './1-connectivity/index.js';
import { orchestration, orchestrationRegressions } from './2-orchestration/index.js';
import { events } from './3-events/index.js';
import { capabilities } from './4-capabilities/index.js';
import { hatRegressions, hatScenarios } from './5-hats/index.js';
import { memory } from './6-memory/index.js';
import { errorRegressions, errors } from './7-errors/index.js';
import { conversations } from './8-conversations/index.js';
import { plugins } from './9-plugins/index.js';
import { withPromises } from './contract.js';

/** The catalogue, in the order in which it runs. */
export const catalogue: readonly Scenario[] = withPromises([
  ...inTier(1, connectivity),
  ...inTier(2, orchestration),
  ...inTier(3, events),
  ...inTier(4, capabilities),
  ...inTier(5, hatScenarios),
  ...inTier(6, memory),
  ...inTier(7, errors),
  ...inTier(2, orchestrationRegressions),
  ...inTier(5, hatRegressions),
  ...inTier(7, errorRegressions),
  ...inTier(8, conversations),
  ...inTier(9, plugins),
]);

/** The tier of a scenario is that of the list which it is in. */
function inTier(tier: Scenario['tier'], scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.map((scenario) => ({ ...scenario, tier, placed: true }));
}
