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

/** The promises that the checks of a scenario hold Ralph to, by the names of the checks. */
function promisesOf(id: string): Record<string, HeldPromise[]> {
  const held: Record<string, HeldPromise[]> = {};
  for (const [area, promises] of Object.entries(CONTRACT))
    for (const { promise, source, about, heldBy = {} } of Object.values(promises))
      for (const check of heldBy[id] ?? [])
        held[check] = [
          ...(held[check] ?? []),
          { area, promise, source, ...(about === undefined ? {} : { about }) },
        ];
  return held;
}

/** The catalogue, in the order in which it runs. */
export const catalogue: readonly Scenario[] = scenarios.map((scenario) => ({
  ...scenario,
  promises: { ...scenario.promises, ...promisesOf(scenario.id) },
}));
