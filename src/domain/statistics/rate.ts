import { logBetaBelow, normalQuantile } from './special.js';

/** How often something was tried, and how it ended. Fractions are allowed for projections. */
export interface Trials {
  readonly passed: number;
  readonly failed: number;
}

/** A range that contains the true rate with the probability LEVEL. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How sure every interval and every test in this project is. */
export const LEVEL = 0.95;

/**
 * The interval for a number of trials that was fixed before the first (Jeffreys). `npm run simulate` compares its coverage
 * with Wilson's and Clopper and Pearson's.
 */
export function fixedInterval({ passed, failed }: Trials): Interval {
  const tail = (1 - LEVEL) / 2;
  return {
    low: passed === 0 ? 0 : betaQuantile(tail, passed + 0.5, failed + 0.5),
    high: failed === 0 ? 1 : betaQuantile(1 - tail, passed + 0.5, failed + 0.5),
  };
}

/** The interval by Clopper and Pearson: never too narrow, and for few trials much too wide. */
export function exactInterval({ passed, failed }: Trials): Interval {
  const tail = (1 - LEVEL) / 2;
  return {
    low: passed === 0 ? 0 : betaQuantile(tail, passed, failed + 1),
    high: failed === 0 ? 1 : betaQuantile(1 - tail, passed + 1, failed),
  };
}

/** The interval by Wilson. */
export function wilsonInterval({ passed, failed }: Trials): Interval {
  const n = passed + failed;
  const z = -normalQuantile((1 - LEVEL) / 2);
  const rate = passed / n;
  const middle = (rate + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

function betaQuantile(probability: number, a: number, b: number): number {
  return findCrossing((x) => logBetaBelow(x, a, b) >= Math.log(probability));
}

const HALVINGS = 60;

/** Finds where a condition on numbers between 0 and 1 turns from false to true. */
export function findCrossing(holds: (x: number) => boolean): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
