import { describe, expect, test } from 'vitest';
import { intervalOf, testRates } from '../../../../src/domain/report/rates/rate.js';

const of = (passed: number, total: number) => ({ passed, failed: total - passed });

// Expected values: scipy.stats.binomtest(...).proportion_ci(method='wilson').
test.each([
  [7, 10, 0.39677814746, 0.89220873259],
  [9, 10, 0.59585, 0.98212],
  [10, 10, 0.7224672, 1],
  [0, 10, 0, 0.2775328],
])('the interval of %d of %d', (passed, total, low, high) => {
  expect(intervalOf(of(passed, total)).low).toBeCloseTo(low, 5);
  expect(intervalOf(of(passed, total)).high).toBeCloseTo(high, 5);
});

describe("Fisher's exact test", () => {
  // Expected values: scipy.stats.fisher_exact.
  test.each([
    [38, 40, 28, 40, 0.006447998364152484],
    [10, 10, 7, 10, 0.21052631578947367],
    [3, 4, 1, 4, 0.48571428571428565],
    [8, 10, 1, 6, 0.034965034965034975],
    [3, 3, 0, 3, 0.1],
    [40, 40, 40, 40, 1],
    [0, 10, 0, 10, 1],
  ])('%d of %d before, %d of %d after', (a, n, b, m, p) => {
    expect(testRates(of(a, n), of(b, m))).toBeCloseTo(p, 12);
  });

  test('holds for as many repeats as a run may have', () => {
    expect(testRates(of(5_000, 10_000), of(5_000, 10_000))).toBeCloseTo(1, 9);
    expect(testRates(of(9_000, 10_000), of(1_000, 10_000))).toBeLessThan(1e-300);
    // Expected value: the sum of the probabilities with Python's math.lgamma.
    expect(testRates(of(5_069, 10_000), of(4_931, 10_000))).toBeCloseTo(0.05268488718, 9);
  });
});
