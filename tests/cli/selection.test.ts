import { describe, expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { BACKEND_IDS } from '../../src/domain/vocabulary.js';
import { selectScenarios } from '../../src/run/select.js';

const select = (...filters: string[]) =>
  selectScenarios(catalogue, { backends: BACKEND_IDS, lane: 'sim', filters }).map(
    ({ scenario, backend }) => `${scenario.id}/${backend}`,
  );

describe('--filter', () => {
  test.each([
    [
      'part of an id',
      ['single'],
      ['claude-single-iter/claude', 'kiro-single-iter/kiro', 'opencode-single-iter/opencode'],
    ],
    [
      'part of a tier',
      ['connectivity'],
      ['claude-connect/claude', 'kiro-connect/kiro', 'opencode-connect/opencode'],
    ],
    ['glob', ['claude-*-iter'], ['claude-single-iter/claude', 'claude-multi-iter/claude']],
    [
      'regex over the description',
      ['/limit of iterations$/'],
      ['max-iterations/claude', 'max-iterations/kiro', 'max-iterations/opencode'],
    ],
    ['id with its backend', ['max-iterations-kiro'], ['max-iterations/kiro']],
    ['label as reports print it', ['max-iterations [kiro]'], ['max-iterations/kiro']],
    ['several', ['claude-connect', 'kiro-connect'], ['claude-connect/claude', 'kiro-connect/kiro']],
  ])('%s', (_name, filters, expected) => {
    expect(select(...filters)).toEqual(expected);
  });

  test('takes every id of the catalogue as it stands', () => {
    for (const { id } of catalogue) expect(select(id).map((name) => name.split('/')[0])).toContain(id);
  });
});

test('two scenarios with one id are refused', () => {
  const [first] = catalogue;
  if (first === undefined) throw new Error('the catalogue is empty');
  const twins = [first, first];
  expect(() => selectScenarios(twins, { backends: BACKEND_IDS, lane: 'sim', filters: [] })).toThrow(
    /Two scenarios have the id/,
  );
});
