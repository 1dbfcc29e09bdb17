import { type AttemptFinished, isInconclusive, isTroubled } from '../../../domain/attempt.js';
import type { RepeatPlan } from '../../../domain/options/repeat-plan.js';
import { endsOfRepeats, isBelowThreshold } from '../../../domain/repeats.js';
import type { Outcome } from '../../../domain/vocabulary.js';

/** How a test that was repeated came out. */
interface Decided {
  readonly outcome: Outcome;
  /** The repeat that the report describes. */
  readonly decisive: AttemptFinished;
  /** The repeats that the diagnosis reads: the decisive one, and for a flaky test also one that failed. */
  readonly read: readonly AttemptFinished[];
}

/**
 * Decides the outcome of a test that was repeated. Without a threshold one failed repeat fails it: nothing is retried. With
 * one, the share of passes decides; in an offline lane it excuses nothing, because there every repeat does the same.
 */
export function decideRepeated(
  attempts: readonly AttemptFinished[],
  { plan, isOffline }: { readonly plan: RepeatPlan; readonly isOffline: boolean },
): Decided | null {
  const only = (outcome: Outcome, decisive: AttemptFinished): Decided => ({
    outcome,
    decisive,
    read: [decisive],
  });
  const ends = endsOfRepeats(attempts);
  const last = (holds: (end: AttemptFinished) => boolean) => ends.findLast(holds);
  const having = (outcome: AttemptFinished['outcome']) => last((end) => end.outcome === outcome);
  const failed =
    last((end) => end.outcome === 'failed' && !isInconclusive(end)) ??
    last((end) => end.outcome === 'failed' && !isTroubled(end));
  const [passed, known, error] = [having('passed'), having('known-issue'), having('error')];
  const isExcused = plan.threshold !== null && !isOffline && !isBelowThreshold(ends, plan);
  if (failed && passed && isExcused) return { outcome: 'flaky', decisive: passed, read: [failed, passed] };
  if (failed) return only('failed', failed);
  if (error) return only('error', error);
  if (known) return only('known-issue', known);
  if (passed) return only('passed', passed);
  const end = ends.at(-1);
  return end === undefined ? null : only(end.outcome, end);
}
