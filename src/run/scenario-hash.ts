import { createHash } from 'node:crypto';
import type { Planned } from '../domain/attempt.js';
import { nameChecks } from '../domain/check.js';
import { sampleContext } from '../domain/scenario/sample-context.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import { type BackendId, LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import { packageRoot } from '../exec/files/package-root.js';
import { tryScenario } from './attempt/scenario-code.js';

/**
 * Computes a hash that changes if a scenario arranges, checks or plays something else. Random values are the same for
 * each hash, and so is the folder of ralph-e2e, in which its plugins are. A scenario that throws has no hash: its attempt
 * shows the error.
 */
export function hashScenario(
  scenario: Scenario,
  backend: BackendId,
  lane: Lane,
  root = packageRoot(),
): Pick<Planned, 'hash'> {
  const context = sampleContext(backend, lane);
  const told = tryScenario(
    () =>
      JSON.stringify({
        arranged: scenario.arrange(context),
        expected: nameChecks(scenario.expect(context)).map(({ key, kind, name }) => ({ key, kind, name })),
        agent: LANE_TRAITS[lane].hasScript ? scenario.agent : null,
      }),
    null,
  );
  if (told === null) return {};
  const placeless = told.replaceAll(JSON.stringify(root).slice(1, -1), '<ralph-e2e>');
  return { hash: createHash('sha256').update(placeless).digest('hex').slice(0, 16) };
}
