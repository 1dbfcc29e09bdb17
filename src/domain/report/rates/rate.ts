/** How often something was tried, and how it ended. */
export interface Trials {
  readonly passed: number;
  readonly failed: number;
}

/** A range that contains the true rate with a probability of 95 %. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** 95 % of a normal distribution are within so many standard deviations. */
const DEVIATIONS = 1.959964;

/** Wilson's interval for the rate of passes. */
export function intervalOf({ passed, failed }: Trials): Interval {
  const n = passed + failed;
  const rate = passed / n;
  const weight = DEVIATIONS ** 2 / n;
  const middle = (rate + weight / 2) / (1 + weight);
  const half = Math.sqrt((rate * (1 - rate) + weight / 4) * weight) / (1 + weight);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/**
 * Tests with Fisher's exact test whether two rates differ. Returns p, two-sided: how probable it is to see a difference
 * at least as unlikely as this one if nothing changed.
 */
export function testRates(before: Trials, after: Trials): number {
  const [size, other] = [before.passed + before.failed, after.passed + after.failed];
  const passed = before.passed + after.passed;
  const first = Math.max(0, passed - other);
  // Each table with the same sums, as the logarithm of its probability relative to the first one.
  const logs = [0];
  for (let k = first; k < Math.min(size, passed); k += 1)
    logs.push(
      (logs.at(-1) ?? 0) + Math.log(((size - k) * (passed - k)) / ((k + 1) * (other - passed + k + 1))),
    );
  const most = Math.max(...logs);
  const chances = logs.map((log) => Math.exp(log - most));
  // Equal chances differ by rounding.
  const limit = (chances[before.passed - first] ?? 1) * (1 + 1e-7);
  const sum = (all: readonly number[]) => all.reduce((total, chance) => total + chance, 0);
  return sum(chances.filter((chance) => chance <= limit)) / sum(chances);
}
