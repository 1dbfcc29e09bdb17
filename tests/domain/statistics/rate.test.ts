import { describe, expect, test } from 'vitest';
import { exactInterval, fixedInterval, wilsonInterval } from '../../../src/domain/statistics/rate.js';
import { logBetaBelow, logGamma, normalQuantile } from '../../../src/domain/statistics/special.js';

// Expected values: scipy 1.x (stats.beta.ppf, binomtest(...).proportion_ci, special.gammaln, betainc, stats.norm.ppf).
describe('special functions', () => {
  test.each([
    [0.3, 1.09579799],
    [5, 3.17805383],
    [100.5, 361.43554047],
  ])('the logarithm of gamma at %d', (x, expected) => {
    expect(logGamma(x)).toBeCloseTo(expected, 7);
  });

  test.each([
    [0.9, 44.5, 0.5, -6.092185889586832],
    [0.1, 0.5, 44.5, -0.0022630210910396377],
    [0.3, 20.5, 3.5, -18.969354230418126],
  ])('the beta distribution below %d, in both tails', (x, a, b, expected) => {
    expect(logBetaBelow(x, a, b)).toBeCloseTo(expected, 9);
  });

  test.each([
    [0.0002, -3.5400838],
    [0.025, -1.95996398],
    [0.3, -0.52440051],
    [0.99, 2.32634787],
  ])('the normal quantile at %d', (probability, expected) => {
    expect(normalQuantile(probability)).toBeCloseTo(expected, 6);
  });
});

describe('the interval for a fixed number of repeats', () => {
  test.each([
    [7, 3, 0.39418168, 0.90730541],
    [38, 2, 0.84913495, 0.98946551],
  ])('%d passed and %d failed', (passed, failed, low, high) => {
    expect(fixedInterval({ passed, failed }).low).toBeCloseTo(low, 7);
    expect(fixedInterval({ passed, failed }).high).toBeCloseTo(high, 7);
  });

  test('reaches 1 if nothing failed, and 0 if nothing passed', () => {
    expect(fixedInterval({ passed: 10, failed: 0 }).low).toBeCloseTo(0.78280373, 7);
    expect(fixedInterval({ passed: 10, failed: 0 }).high).toBe(1);
    expect(fixedInterval({ passed: 0, failed: 10 }).low).toBe(0);
  });

  test("agrees with scipy about Wilson's and Clopper and Pearson's, which the simulation compares it with", () => {
    const trials = { passed: 7, failed: 3 };
    expect(wilsonInterval(trials).low).toBeCloseTo(0.39677814746, 8);
    expect(wilsonInterval(trials).high).toBeCloseTo(0.89220873259, 8);
    expect(exactInterval(trials).low).toBeCloseTo(0.34754714994, 8);
    expect(exactInterval(trials).high).toBeCloseTo(0.93326048882, 8);
  });
});
