import type { Trials } from './rate.js';
import { logGamma, normalQuantile } from './special.js';

/** The probability of a false alarm in a whole comparison. */
const FALSE_ALARMS = 0.05;

/** Fisher's exact test for two rates. */
export interface FisherTest {
  /** How probable a table is that is as unlikely as this one or more, if nothing changed. Two-sided. */
  readonly p: number;
  /** The smallest p that tables with the same sums can have. If that is 1, the test cannot show anything. */
  readonly least: number;
}

/** Tests whether two rates differ. Exact for any number of trials. */
export function testRates(before: Trials, after: Trials): FisherTest {
  const sizes = [before.passed + before.failed, after.passed + after.failed] as const;
  const passed = before.passed + after.passed;
  const first = Math.max(0, passed - sizes[1]);
  const last = Math.min(sizes[0], passed);
  const chances = Array.from({ length: last - first + 1 }, (_, index) =>
    Math.exp(
      logChoose(sizes[0], first + index) +
        logChoose(sizes[1], passed - first - index) -
        logChoose(sizes[0] + sizes[1], passed),
    ),
  );
  const sumUpTo = (chance: number) =>
    Math.min(
      1,
      // Equal chances differ by rounding.
      chances.reduce((sum, other) => (other <= chance * (1 + 1e-7) ? sum + other : sum), 0),
    );
  return {
    p: sumUpTo(chances[before.passed - first] ?? 1),
    least: sumUpTo(Math.min(...chances)),
  };
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}

/**
 * Decides which of many tests show a change, so that in a whole catalog without any change there is a false alarm with a
 * probability of at most 5 %, however the tests depend on each other: Holm's procedure, without the tests that could not
 * have shown anything at this level (Tarone). A test that passed every time in both runs cannot, so in a steady catalog
 * few tests share the 5 %. Benjamini and Yekutieli allow one false alarm in twenty findings instead, and divide by the
 * sum of 1/i in addition, so that the first finding needs more evidence than here.
 */
export function decideFamily<Test extends FisherTest>(
  tests: readonly Test[],
  level: number = FALSE_ALARMS,
): { readonly found: ReadonlySet<Test>; readonly limit: number } {
  const found = new Set<Test>();
  for (;;) {
    const open = tests.filter((test) => !found.has(test));
    const limit = findLimit(open, level);
    const next = open.filter(({ p }) => p <= limit);
    if (next.length === 0) return { found, limit };
    for (const test of next) found.add(test);
  }
}

/** The largest level that so many tests can share: those that cannot reach it do not count. */
function findLimit(tests: readonly FisherTest[], level: number): number {
  let shares = 1;
  while (tests.filter(({ least }) => least <= level / shares).length > shares) shares += 1;
  return level / shares;
}

const POWER = 0.8;

/**
 * Estimates how many trials each run needs in all so that this difference would be found in 4 of 5 cases; null if the rates
 * are the same. Uses the normal approximation with the correction for Fisher's test (Casagrande, Pike and Smith).
 */
export function trialsToShow(before: Trials, after: Trials, limit: number): number | null {
  const [one, other] = [rateOf(before), rateOf(after)];
  const gap = Math.abs(one - other);
  if (gap === 0) return null;
  const mean = (one + other) / 2;
  const alpha = -normalQuantile(limit / 2) * Math.sqrt(2 * mean * (1 - mean));
  const beta = -normalQuantile(1 - POWER) * Math.sqrt(one * (1 - one) + other * (1 - other));
  const plain = (alpha + beta) ** 2 / gap ** 2;
  return Math.ceil((plain / 4) * (1 + Math.sqrt(1 + 4 / (plain * gap))) ** 2);
}

function rateOf({ passed, failed }: Trials): number {
  return passed / (passed + failed);
}
