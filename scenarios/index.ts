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

const scenarios: readonly Scenario[] = [
  ...connectivity,
  ...orchestration,
  ...events,
  ...capabilities,
  ...hatScenarios,
  ...memory,
  ...errors,
  ...orchestrationRegressions,
  ...hatRegressions,
  ...errorRegressions,
  ...conversations,
  ...plugins,
];

/** The catalogue, in the order in which it runs. */
export const catalogue: readonly Scenario[] = withPromises(scenarios);
