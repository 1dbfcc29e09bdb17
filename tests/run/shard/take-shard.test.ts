import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { selectScenarios } from '../../../src/run/select/select.js';
import { findProbes } from '../../../src/run/shard/probe-gates.js';
import { takeShard } from '../../../src/run/shard/take-shard.js';

const WHOLE = selectScenarios(catalogue, {
  backends: ['claude', 'kiro'],
  lane: 'sim',
  filters: ['connect', 'single-iter'],
});
const labels = (tests: readonly (typeof WHOLE)[number][]) =>
  tests.map(({ scenario, backend }) => `${scenario.id} on ${backend}`);
const [first = '', second = '', ...others] = labels(WHOLE);

function take(seconds: Record<string, number>, choice = { index: 1, total: 2 }, idle: string[] = []) {
  return takeShard(WHOLE, choice, {
    from: 'file',
    seconds: new Map(Object.entries(seconds)),
    idle: new Set(idle),
  });
}

describe('a shard', () => {
  test('plans the same whole as every other, and takes its part in the order of the catalog', () => {
    const parts = [1, 2, 3].map((index) => take({ [first]: 9, [second]: 4 }, { index, total: 3 }));
    expect(new Set(parts.map(({ shard }) => JSON.stringify(shard.plan))).size).toBe(1);
    expect(parts.flatMap(({ part }) => labels(part)).sort()).toEqual(labels(WHOLE).sort());
    const order = labels(WHOLE);
    for (const { part } of parts)
      expect(labels(part)).toEqual(order.filter((key) => labels(part).includes(key)));
  });

  test('counts a test without a known duration as the median', () => {
    const { shard } = take({ [first]: 1, [second]: 5, [others[0] ?? '']: 9 });
    expect(shard.plan.slice(3).map(({ seconds }) => seconds)).toEqual(others.slice(1).map(() => 5));
    expect(shard.durations).toMatchObject({ from: 'file', known: 3 });
  });

  test('counts a very short test for the median, but not one that could not run', () => {
    const { shard } = take({ [first]: 0.01, [second]: 0.1 }, { index: 1, total: 2 }, [second]);
    expect(shard.plan.slice(2).map(({ seconds }) => seconds)).toEqual(others.map(() => 0.01));
  });

  test('counts each test the same if no duration is known', () => {
    const { shard } = take({ 'another-test on claude': 5 });
    expect(shard.durations).toMatchObject({ from: 'none', known: 0 });
    expect(new Set(shard.plan.map(({ seconds }) => seconds)).size).toBe(1);
  });

  test('records a hash that changes with the durations of its tests, and with nothing else', () => {
    const hash = (seconds: Record<string, number>) => take(seconds).shard.durations.sha256;
    expect(hash({ [first]: 1, [second]: 2 })).toBe(hash({ [second]: 2, [first]: 1, 'another on kiro': 3 }));
    expect(hash({ [first]: 1, [second]: 2 })).not.toBe(hash({ [first]: 1, [second]: 2.1 }));
  });
});

describe('the gates that a shard tries first', () => {
  const gates = WHOLE.filter(({ scenario }) => scenario.gate);
  const rest = WHOLE.filter(({ scenario }) => !scenario.gate);

  test('are those of its backends that another shard has', () => {
    expect(labels(findProbes(WHOLE, rest, 'live'))).toEqual(labels(gates));
    expect(findProbes(WHOLE, WHOLE, 'live')).toEqual([]);
    const onKiro = rest.filter(({ backend }) => backend === 'kiro');
    expect(findProbes(WHOLE, onKiro, 'live').map(({ backend }) => backend)).toEqual(['kiro']);
  });

  test('are none where a call costs nothing, and none that the selection leaves out', () => {
    expect(findProbes(WHOLE, rest, 'sim')).toEqual([]);
    expect(findProbes(rest, rest, 'live')).toEqual([]);
  });
});
