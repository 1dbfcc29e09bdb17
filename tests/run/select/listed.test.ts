import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { SUITES } from '../../../src/domain/suites.js';
import { BACKEND_IDS, LANES } from '../../../src/domain/vocabulary.js';
import { countCalls } from '../../../src/run/money/calls.js';
import type { ListedScenario } from '../../../src/run/planned.js';
import { listScenario } from '../../../src/run/select/listed.js';
import { selectScenarios } from '../../../src/run/select/select.js';
import { callsOf } from '../../../src/run/select/suites.js';

/** As the build writes it. */
const index: readonly ListedScenario[] = JSON.parse(JSON.stringify(catalogue.map(listScenario)));

describe('the index of the catalogue', () => {
  test.each(LANES)('chooses the same tests as the scenarios in the %s lane, whatever the suite', (lane) => {
    for (const suite of [...SUITES, 'asked'] as const) {
      const call = { backends: BACKEND_IDS, lane, filters: [], suite };
      const chosen = selectScenarios(catalogue, call).map(({ scenario, backend }) => [scenario.id, backend]);
      const listed = selectScenarios(index, call).map(({ scenario, backend }) => [scenario.id, backend]);
      expect(listed).toEqual(chosen);
    }
  });

  test('counts the agent calls of each test as its code does', () => {
    const calls = (listed: (typeof index)[number]) =>
      callsOf({ scenario: listed, backend: 'claude' }, 'live');
    expect(index.map(calls)).toEqual(catalogue.map((scenario) => countCalls(scenario, 'claude', 'live')));
  });

  test('has no scenario whose number of agent calls depends on the backend: it has one number', () => {
    const [first] = catalogue;
    if (first?.kind !== 'ralph') throw new Error('expected a loop');
    const varying = {
      ...first,
      ...{ id: 'varying', backends: BACKEND_IDS, expectedIterations: null },
      arrange: ({ backend }: { readonly backend: string }) => ({
        config: { event_loop: { max_iterations: backend === 'claude' ? 2 : 3 } },
        prompt: 'Count.',
      }),
    };
    expect(() => listScenario(varying)).toThrow(
      'varying: expected as many agent calls everywhere, found 2, 3',
    );
  });
});
