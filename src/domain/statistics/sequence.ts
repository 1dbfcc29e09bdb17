import { findCrossing, type Interval, LEVEL, type Trials } from './rate.js';
import { logBeta, logBetaBelow } from './special.js';

/**
 * Decisions about a rate that stay valid although somebody looks after every trial and stops when he likes what he sees.
 *
 * For a rate t, the evidence against "the rate is at most t" is the likelihood of the trials, averaged over the rates
 * above t (a beta mixture with Jeffreys' prior), divided by their likelihood at t. If the rate is at most t, this is a
 * nonnegative supermartingale that starts at 1. By Ville's inequality it ever reaches 40 with a probability of at most
 * 1/40. The same holds for the other side, so both together err with a probability of at most 5 %.
 */
const ENOUGH = Math.log(2 / (1 - LEVEL));

/** What trials show about a threshold. */
export type RateDecision = 'above' | 'below' | 'undecided';

/** The logarithm of the evidence that the rate is above `t`. */
function logEvidenceAbove({ passed, failed }: Trials, t: number): number {
  const [a, b] = [passed + 0.5, failed + 0.5];
  const posterior = logBeta(a, b) + logBetaBelow(1 - t, b, a);
  const prior = logBeta(0.5, 0.5) + logBetaBelow(1 - t, 0.5, 0.5);
  return posterior - prior - passed * Math.log(t) - failed * Math.log1p(-t);
}

function logEvidenceBelow({ passed, failed }: Trials, t: number): number {
  return logEvidenceAbove({ passed: failed, failed: passed }, 1 - t);
}

export function decideNow(trials: Trials, threshold: number): RateDecision {
  if (logEvidenceAbove(trials, threshold) >= ENOUGH) return 'above';
  return logEvidenceBelow(trials, threshold) >= ENOUGH ? 'below' : 'undecided';
}

/** Decides whether the rate is above or below a threshold, from trials in their order. `after` is where it was decided. */
export function decideRate(
  outcomes: readonly boolean[],
  threshold: number,
): { readonly decision: RateDecision; readonly after: number } {
  let passed = 0;
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome) passed += 1;
    const decision = decideNow({ passed, failed: index + 1 - passed }, threshold);
    if (decision !== 'undecided') return { decision, after: index + 1 };
  }
  return { decision: 'undecided', after: outcomes.length };
}

/** The interval for trials that may have stopped at any moment. It excludes a threshold exactly if that is decided. */
export function sequentialInterval(trials: Trials): Interval {
  const { passed, failed } = trials;
  return {
    low: passed === 0 ? 0 : findCrossing((t) => logEvidenceAbove(trials, t) < ENOUGH),
    high: failed === 0 ? 1 : findCrossing((t) => logEvidenceBelow(trials, t) >= ENOUGH),
  };
}

/** More than this many is no plan. */
const MOST = 10_000;

/** Estimates how many more trials would decide if they went on passing at the same rate; null if that is not foreseeable. */
export function moreToDecide({ passed, failed }: Trials, threshold: number): number | null {
  const n = passed + failed;
  if (n === 0) return null;
  const isEnough = (more: number) =>
    decideNow({ passed: passed * (1 + more / n), failed: failed * (1 + more / n) }, threshold) !==
    'undecided';
  return findLeast(isEnough, MOST);
}

/** The number of passes in a row that show a rate above the threshold: with fewer repeats nothing can pass. */
export function passesToDecide(threshold: number): number | null {
  return findLeast((passed) => decideNow({ passed, failed: 0 }, threshold) === 'above', MOST);
}

/** Finds the least whole number for which a condition holds, if it then holds for all larger ones; null above `most`. */
function findLeast(holds: (count: number) => boolean, most: number): number | null {
  if (!holds(most)) return null;
  let [low, high] = [-1, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
