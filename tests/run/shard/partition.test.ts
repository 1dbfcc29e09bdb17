import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partition } from '../../../src/run/shard/partition.js';

const TESTS = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 60 }).chain((keys) =>
  fc
    .array(fc.oneof(fc.constant(2), fc.double({ min: 0, max: 300, noNaN: true })), {
      minLength: keys.length,
      maxLength: keys.length,
    })
    .map((all) => keys.map((key, index) => ({ key, seconds: all[index] ?? 0 }))),
);
const TOTAL = fc.integer({ min: 1, max: 12 });

function loadsOf(tests: readonly { key: string; seconds: number }[], total: number): number[] {
  const shards = partition(tests, total);
  return Array.from({ length: total }, (_, index) =>
    tests.filter(({ key }) => shards.get(key) === index + 1).reduce((sum, { seconds }) => sum + seconds, 0),
  );
}

describe('shards', () => {
  test('have every test exactly once, in a shard that there is', () => {
    fc.assert(
      fc.property(TESTS, TOTAL, (tests, total) => {
        const shards = partition(tests, total);
        expect([...shards.keys()].sort()).toEqual(tests.map(({ key }) => key).sort());
        for (const shard of shards.values()) expect(shard >= 1 && shard <= total).toBe(true);
      }),
    );
  });

  test('are the same for any order of the tests, and each time', () => {
    fc.assert(
      fc.property(TESTS, TOTAL, fc.infiniteStream(fc.nat()), (tests, total, ranks) => {
        const shuffled = tests
          .map((one) => ({ one, rank: ranks.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ one }) => one);
        const inOrder = (shards: ReadonlyMap<string, number>) =>
          [...shards].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(inOrder(partition(shuffled, total))).toEqual(inOrder(partition(tests, total)));
        expect(partition(tests, total)).toEqual(partition(tests, total));
      }),
    );
  });

  test('differ by at most one test, the longest', () => {
    fc.assert(
      fc.property(TESTS, TOTAL, (tests, total) => {
        const loads = loadsOf(tests, total);
        const longest = Math.max(0, ...tests.map(({ seconds }) => seconds));
        expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(longest + 1e-6);
      }),
    );
  });

  test('take at most a third more than the best division there is', () => {
    const SMALL = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(SMALL, fc.integer({ min: 1, max: 3 }), (all, total) => {
        const tests = all.map((seconds, index) => ({ key: `test-${index}`, seconds }));
        const best = Math.min(...divide(all, total).map((loads) => Math.max(...loads)));
        expect(Math.max(...loadsOf(tests, total))).toBeLessThanOrEqual(
          (4 / 3 - 1 / (3 * total)) * best + 1e-9,
        );
      }),
      { numRuns: 60 },
    );
  });

  test('of tests that take the same have the same number of tests, give or take one', () => {
    const tests = Array.from({ length: 10 }, (_, index) => ({ key: `test-${index}`, seconds: 1 }));
    const shards = [...partition(tests, 4).values()];
    expect([1, 2, 3, 4].map((shard) => shards.filter((one) => one === shard).length)).toEqual([3, 3, 2, 2]);
  });
});

/** All ways to divide lengths among shards, as the loads of the shards. */
function divide(all: readonly number[], total: number): number[][] {
  const [first, ...rest] = all;
  if (first === undefined) return [Array.from({ length: total }, () => 0)];
  return divide(rest, total).flatMap((loads) =>
    loads.map((_, place) => loads.map((load, index) => (index === place ? load + first : load))),
  );
}
