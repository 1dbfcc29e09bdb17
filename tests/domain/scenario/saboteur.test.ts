import { describe, expect, test } from 'vitest';
import { failureOf, sortOf } from '../../../src/domain/scenario/saboteur.js';
import { scenario } from '../../../src/domain/scenario/scenario.js';
import { requireScenario } from '../../../src/domain/scenario/schema.js';

describe('the failure of a saboteur', () => {
  test.each([
    ['agent', { agent: [], kills: [] }, 'PromptIneffective'],
    ['config', { config: () => ({}), kills: [] }, 'AssertionMismatch'],
    ['target', { target: 'lose-events', kills: [] }, 'AssertionMismatch'],
  ] as const)('follows from what it breaks: %s', (sort, saboteur, failure) => {
    expect(sortOf(saboteur)).toBe(sort);
    expect(failureOf(saboteur)).toBe(failure);
  });

  test('is what its author says', () => {
    expect(failureOf({ target: 'lose-events', kills: [], failure: 'EventMissing' })).toBe('EventMissing');
  });
});

describe('a scenario', () => {
  const withSaboteur = (saboteur: object) => ({
    ...scenario({
      id: 'some-scenario',
      tier: 1,
      priority: 'must',
      phase: 'green',
      description: 'Some scenario',
      covers: [],
      arrange: () => ({ config: {}, prompt: '' }),
      expect: () => ({}),
      agent: [],
    }),
    saboteurs: { 'loses events': saboteur },
  });

  test('may leave out the failure of a saboteur', () => {
    expect(() => requireScenario(withSaboteur({ target: 'lose-events', kills: ['ends'] }))).not.toThrow();
  });

  test('may not use an unknown one', () => {
    const saboteur = { target: 'lose-events', kills: ['ends'], failure: 'BadLuck' };
    expect(() => requireScenario(withSaboteur(saboteur))).toThrow('saboteurs.loses events.failure');
  });
});
