import type { HeldPromise, Scenario } from '../src/authoring.js';
import { connectivity } from './1-connectivity/index.js';
import { orchestration, orchestrationRegressions } from './2-orchestration/index.js';
import { events } from './3-events/index.js';
import { capabilities } from './4-capabilities/index.js';
import { hatRegressions, hatScenarios } from './5-hats/index.js';
import { memory } from './6-memory/index.js';
import { errorRegressions, errors } from './7-errors/index.js';
import { conversations } from './8-conversations/index.js';
import { plugins } from './9-plugins/index.js';
import { CONTRACT } from './contract/index.js';

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

/** The promises that the checks of each scenario hold Ralph to, by its id and the names of the checks. */
const held = new Map<string, Map<string, HeldPromise[]>>();
for (const [area, promises] of Object.entries(CONTRACT))
  for (const { promise, source, about, heldBy = {} } of Object.values(promises))
    for (const [id, checks] of Object.entries(heldBy))
      for (const check of checks) {
        const ofScenario = held.get(id) ?? new Map<string, HeldPromise[]>();
        const one = { area, promise, source, ...(about === undefined ? {} : { about }) };
        held.set(id, ofScenario.set(check, [...(ofScenario.get(check) ?? []), one]));
      }

/** The catalogue, in the order in which it runs. */
export const catalogue: readonly Scenario[] = scenarios.map((scenario) => ({
  ...scenario,
  promises: { ...scenario.promises, ...Object.fromEntries(held.get(scenario.id) ?? []) },
}));
