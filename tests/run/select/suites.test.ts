import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { BACKEND_IDS, type BackendId } from '../../../src/domain/backends.js';
import { sampleContext } from '../../../src/domain/scenario/sample-context.js';
import type { SuiteChoice } from '../../../src/domain/suites.js';
import { countCalls } from '../../../src/run/money/calls.js';
import { countUnasked, type Selection, selectScenarios } from '../../../src/run/select/select.js';

const live = (backend: BackendId, suite: SuiteChoice, choice: Partial<Selection> = {}) =>
  selectScenarios(catalogue, { backends: [backend], lane: 'live', filters: [], suite, ...choice });
const idsOf = (...args: Parameters<typeof live>) => live(...args).map(({ scenario }) => scenario.id);
const tiersOf = (...args: Parameters<typeof live>) =>
  [...new Set(live(...args).map(({ scenario }) => scenario.tier))].toSorted();

describe('the smoke suite', () => {
  test.each(BACKEND_IDS)('makes at most 12 agent calls on %s', (backend) => {
    const counts = live(backend, 'smoke').map(({ scenario }) => countCalls(scenario, backend, 'live'));
    const calls = counts.reduce((sum, count) => sum + count, 0);
    expect(counts.length).toBeGreaterThan(1);
    expect(calls).toBeLessThanOrEqual(12);
  });

  test.each(BACKEND_IDS)('has every tier of Ralph that %s has', (backend) => {
    expect(tiersOf(backend, 'smoke')).toEqual(tiersOf(backend, 'ralph'));
  });

  test('has all seven tiers, the gate and a loop of several iterations on claude', () => {
    expect(tiersOf('claude', 'smoke')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(idsOf('claude', 'smoke')).toContain('claude-connect');
    expect(idsOf('claude', 'smoke')).toContain('claude-multi-iter');
  });

  test.each(BACKEND_IDS)('asks nothing of %s that waits, fails by design or needs another CLI', (backend) => {
    const odd = live(backend, 'smoke').filter(
      ({ scenario }) =>
        scenario.knownIssue !== null ||
        scenario.companions(sampleContext(backend, 'live')).length > 0 ||
        scenario.id === 'timeout-handling',
    );
    expect(odd).toEqual([]);
  });

  test('is narrowed by a filter, not drawn anew from what matches', () => {
    const smoke = idsOf('claude', 'smoke');
    const some = idsOf('claude', 'smoke', { filters: ['memory'] });
    expect(some.length).toBeGreaterThan(0);
    expect(some).toEqual(smoke.filter((id) => id.includes('memory')));
  });
});

describe('the suite that runs everything once', () => {
  const backends: readonly BackendId[] = ['claude', 'kiro', 'opencode'];
  const choose = (suite: SuiteChoice, choice: Partial<Selection> = {}) =>
    selectScenarios(catalogue, { backends, lane: 'sim', filters: [], suite, ...choice });
  const nameOf = ({ scenario, backend }: ReturnType<typeof choose>[number]) => `${scenario.id} ${backend}`;

  test('has every scenario on its first backend, the smoke suite on the others, and nothing else', () => {
    const firsts = catalogue
      .filter(({ lanes }) => lanes.includes('sim'))
      .flatMap((scenario) => {
        const backend = scenario.backends.find((id) => backends.includes(id));
        return backend === undefined ? [] : [{ scenario, backend }];
      });
    const expected = new Set([...firsts, ...choose('smoke')].map(nameOf));
    const once = choose('once').map(nameOf);
    expect(once.toSorted()).toEqual([...expected].toSorted());
    expect(once.length).toBeLessThan(choose('all').length);
  });

  test('takes the first of the backends that the user named', () => {
    const [first] = choose('once', { backends: ['opencode'], filters: ['hat-single'] });
    expect(first?.backend).toBe('opencode');
  });
});

describe('the other suites', () => {
  test('split the catalog in two', () => {
    expect(tiersOf('claude', 'ralph')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(tiersOf('claude', 'plugins')).toEqual([8, 9]);
    expect([...idsOf('claude', 'ralph'), ...idsOf('claude', 'plugins')].toSorted()).toEqual(
      idsOf('claude', 'all').toSorted(),
    );
  });

  test('a suite without a test on the backend is an error that names it', () => {
    expect(() => live('codex', 'plugins')).toThrow(
      /No scenario runs on codex in the live lane in --suite plugins/,
    );
  });
});

describe('a live run without --suite', () => {
  test('takes what is about Ralph, and counts what it leaves out', () => {
    expect(idsOf('claude', 'asked')).toEqual(idsOf('claude', 'ralph'));
    const selection: Selection = { backends: ['claude'], lane: 'live', filters: [], suite: 'asked' };
    expect(countUnasked(catalogue, selection)).toBe(idsOf('claude', 'plugins').length);
  });

  test('takes conversations that a filter alone can mean', () => {
    expect(tiersOf('claude', 'asked', { filters: ['epti'] })).toEqual([8, 9]);
    expect(tiersOf('claude', 'asked', { filters: ['Tier 9'] })).toEqual([9]);
  });

  test('leaves out conversations that a filter for Ralph happens to match', () => {
    expect(tiersOf('claude', 'all', { filters: ['hooks'] })).toEqual([2, 9]);
    expect(tiersOf('claude', 'asked', { filters: ['hooks'] })).toEqual([2]);
  });

  test('judges each filter by itself', () => {
    expect(tiersOf('claude', 'asked', { filters: ['hooks', 'epti'] })).toEqual([2, 8, 9]);
  });

  test('takes whatever --test names', () => {
    expect(idsOf('claude', 'asked', { tests: ['plugins-hooks-of-two'] })).toEqual(['plugins-hooks-of-two']);
  });
});
