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

test('a shard plans the same whole as every other, and takes its part in the order of the catalog', () => {
  const parts = [1, 2, 3].map((index) => takeShard(WHOLE, { index, total: 3 }));
  expect(new Set(parts.map(({ shard }) => JSON.stringify(shard.plan))).size).toBe(1);
  expect(parts.flatMap(({ part }) => labels(part)).sort()).toEqual(labels(WHOLE).sort());
  const sizes = parts.map(({ part }) => part.length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  const order = labels(WHOLE);
  for (const { part } of parts)
    expect(labels(part)).toEqual(order.filter((key) => labels(part).includes(key)));
});

test('the order in which tests were selected does not matter', () => {
  const choice = { index: 2, total: 3 };
  const [one, other] = [WHOLE, WHOLE.toReversed()].map((whole) => labels(takeShard(whole, choice).part));
  expect(other?.toReversed()).toEqual(one);
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
