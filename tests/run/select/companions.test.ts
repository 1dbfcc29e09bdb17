import { expect, test } from 'vitest';
import type { Readiness } from '../../../src/domain/evidence/readiness.js';
import { type Scenario, scenario } from '../../../src/domain/scenario/scenario.js';
import type { BackendId } from '../../../src/domain/vocabulary.js';
import { whyCompanionMissing, withCompanions, withSecond } from '../../../src/run/select/why-skipped.js';

const define = (companions?: Scenario['companions']) =>
  scenario({
    id: 'pair',
    tier: 5,
    priority: 'must',
    phase: 'green',
    description: '',
    covers: [],
    arrange: () => ({ config: {}, prompt: '' }),
    expect: () => [],
    agent: [],
    ...(companions === undefined ? {} : { companions }),
  });

const ANY = define(({ second }) => [second]);
const KIRO = define(() => ['kiro']);
const ALONE = define();

const ready = (...ids: readonly BackendId[]): Map<BackendId, Readiness> =>
  new Map(
    (['claude', 'kiro', 'opencode', 'codex'] as const).map((backend) => [
      backend,
      {
        backend,
        ready: ids.includes(backend),
        available: ids.includes(backend),
        path: null,
        version: null,
        authentication: null,
        reason: ids.includes(backend) ? null : `${backend} is not installed`,
        fix: null,
      },
    ]),
  );

const chosen = (test: Scenario, backend: BackendId, others: readonly BackendId[], under: BackendId[] = []) =>
  withSecond(
    [{ scenario: test, backend }, ...under.map((id) => ({ scenario: ALONE, backend: id }))],
    ready(backend, ...others),
    [backend, ...under],
  )[0]?.second;

test('any other backend may take part, so all of them are assessed', () => {
  expect(withCompanions([{ scenario: ANY, backend: 'claude' }], 'live')).toEqual([
    'claude',
    'kiro',
    'opencode',
  ]);
  expect(withCompanions([{ scenario: ANY, backend: 'kiro' }], 'live')).toEqual([
    'kiro',
    'claude',
    'opencode',
  ]);
});

test('a certain companion is the only one that is assessed', () => {
  expect(withCompanions([{ scenario: KIRO, backend: 'claude' }], 'live')).toEqual(['claude', 'kiro']);
  expect(withCompanions([{ scenario: ALONE, backend: 'claude' }], 'live')).toEqual(['claude']);
});

test('the second backend is the first other one that is ready', () => {
  expect(chosen(ANY, 'claude', ['kiro', 'opencode'])).toBe('kiro');
  expect(chosen(ANY, 'claude', ['opencode'])).toBe('opencode');
  expect(chosen(ANY, 'opencode', ['kiro'])).toBe('kiro');
});

test('a backend that is under test anyway goes before another', () => {
  expect(chosen(ANY, 'claude', ['kiro', 'opencode'], ['opencode'])).toBe('opencode');
  expect(chosen(ANY, 'claude', ['kiro', 'codex'], ['codex'])).toBe('codex');
});

test('without another backend, the reason names all that could take part', () => {
  expect(chosen(ANY, 'claude', [])).toBeUndefined();
  expect(whyCompanionMissing({ scenario: ANY, backend: 'claude' }, ready('claude'), 'live')).toBe(
    'also needs kiro: kiro is not installed; or opencode: opencode is not installed',
  );
  expect(whyCompanionMissing({ scenario: KIRO, backend: 'claude' }, ready('claude'), 'live')).toBe(
    'also needs kiro: kiro is not installed',
  );
});

test('a test whose companion is ready is not skipped', () => {
  const second = 'opencode';
  const readiness = ready('claude', 'opencode');
  expect(whyCompanionMissing({ scenario: ANY, backend: 'claude', second }, readiness, 'live')).toBeNull();
  expect(whyCompanionMissing({ scenario: ALONE, backend: 'claude' }, readiness, 'live')).toBeNull();
});

test('the second backend of a shard is that of the whole run, whatever tests the shard has', () => {
  const part = [{ scenario: ANY, backend: 'claude' as const }];
  const readiness = ready('claude', 'kiro', 'opencode');
  expect(withSecond(part, readiness, ['claude', 'opencode'])[0]?.second).toBe('opencode');
  expect(withSecond(part, readiness, ['claude'])[0]?.second).toBe('kiro');
});
