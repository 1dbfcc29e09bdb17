import { type AttemptFinished, isTroubled } from './attempt.js';
import { groupBy } from './common/group-by.js';
import { MOST_REPEATS, type RepeatPlan } from './options/repeat-plan.js';

/** Lists the numbers of the repeats, whatever a damaged journal says. */
export function listRepeats({ times }: RepeatPlan): number[] {
  const length = Math.min(MOST_REPEATS, Math.max(1, Math.floor(times) || 1));
  return Array.from({ length }, (_, index) => index + 1);
}

/** Returns the attempts of each repeat, in order. A repeat has several attempts only if its service was in trouble. */
export function groupRepeats(attempts: readonly AttemptFinished[]): AttemptFinished[][] {
  return [...groupBy(attempts, ({ repeat = 1 }) => repeat).values()];
}

/** Returns how each repeat ended: its last attempt. */
export function endsOfRepeats(attempts: readonly AttemptFinished[]): AttemptFinished[] {
  return groupRepeats(attempts).flatMap((group) => group.at(-1) ?? []);
}

/** Whether a repeat counts for the rate: neither a service in trouble nor an error of the harness says anything about it. */
export function isCounted(end: Pick<AttemptFinished, 'outcome' | 'fault'>): boolean {
  return end.outcome !== 'error' && !isTroubled(end);
}

/** Whether too many repeats failed: fewer than the threshold asks for pass, even if all that are missing passed. */
export function isBelowThreshold(
  ends: readonly AttemptFinished[],
  { times, threshold }: RepeatPlan,
): boolean {
  if (threshold === null) return false;
  const failed = ends.filter((end) => isCounted(end) && end.outcome === 'failed').length;
  // 7 / 100 is 0.07, but 0.07 * 100 is more than 7.
  return (times - failed) / times < threshold;
}
