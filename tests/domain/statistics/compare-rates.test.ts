import { describe, expect, test } from 'vitest';
import { decideFamily, testRates, trialsToShow } from '../../../src/domain/statistics/compare-rates.js';

const of = (passed: number, total: number) => ({ passed, failed: total - passed });

describe("Fisher's exact test", () => {
  // Expected values: scipy.stats.fisher_exact.
  test.each([
    [38, 40, 28, 40, 0.006447998364152484],
    [10, 10, 7, 10, 0.21052631578947367],
    [3, 4, 1, 4, 0.48571428571428565],
    [8, 10, 1, 6, 0.034965034965034975],
    [3, 3, 0, 3, 0.1],
    [40, 40, 40, 40, 1],
  ])('%d of %d before, %d of %d after', (a, n, b, m, p) => {
    expect(testRates(of(a, n), of(b, m)).p).toBeCloseTo(p, 12);
  });

  test('knows the smallest p that the same sums allow', () => {
    expect(testRates(of(3, 3), of(1, 3)).least).toBeCloseTo(0.4, 12);
    expect(testRates(of(40, 40), of(40, 40)).least).toBe(1);
  });
});

describe('many comparisons at once', () => {
  const shows = (p: number, least = 0) => ({ p, least });

  test('share the level as Holm says if each could show something', () => {
    const tests = [shows(0.01), shows(0.02), shows(0.03), shows(0.9)];
    // 0.01 <= 0.05/4, then 0.02 > 0.05/3.
    expect([...decideFamily(tests).found]).toEqual([tests[0]]);
    // Without the step down, 0.02 would need 0.0125; with it, 0.05/2.
    const steps = [shows(0.01), shows(0.016), shows(0.024), shows(0.05)];
    expect(decideFamily(steps).found.size).toBe(4);
  });

  test('do not share it with tests that could not show anything', () => {
    const steady = Array.from({ length: 119 }, () => shows(1, 1));
    const drop = shows(0.0064);
    expect([...decideFamily([...steady, drop]).found]).toEqual([drop]);
    const varying = Array.from({ length: 119 }, () => shows(1));
    expect(decideFamily([...varying, drop]).found.size).toBe(0);
  });

  test('find nothing where nothing was compared', () => {
    expect(decideFamily([]).found.size).toBe(0);
  });
});

describe('how many repeats would show a difference', () => {
  test('agrees with the exact power of the test', () => {
    // Exact power of Fisher's test with 38 trials each: 0.79, with 95 at 0.05/120: 0.86.
    const [before, after] = [of(95, 100), of(70, 100)];
    expect(trialsToShow(before, after, 0.05)).toBeGreaterThanOrEqual(38);
    expect(trialsToShow(before, after, 0.05)).toBeLessThanOrEqual(46);
    expect(trialsToShow(before, after, 0.05 / 120)).toBeLessThanOrEqual(100);
  });

  test('is unknown if the rates are the same', () => {
    expect(trialsToShow(of(5, 10), of(10, 20), 0.05)).toBeNull();
  });
});
