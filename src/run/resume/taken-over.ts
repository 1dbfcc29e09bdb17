import type { AttemptFinished } from '../../domain/attempt.js';
import { keepFinished } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import { ONCE, type RepeatPlan } from '../../domain/options/repeat-plan.js';
import { groupRepeats } from '../../domain/results/repeats.js';
import { keyOfTest } from '../../domain/vocabulary.js';
import { decideRetry, type RetryRules } from '../retries.js';

/** What a run had done before it was interrupted or killed. Keys are execution keys. */
export interface TakenOver {
  /** The last attempt of each test that has its result, in the order in which the tests ended. */
  readonly settled: ReadonlyMap<string, AttemptFinished>;
  /** All finished attempts of each test that had started. */
  readonly attempts: ReadonlyMap<string, readonly AttemptFinished[]>;
  /** The tests that were skipped for a reason that still holds. */
  readonly skipped: ReadonlySet<string>;
}

/** Finds out from the records of a run what is done. An attempt that was cut off counts for nothing. */
export function takeOver(
  records: readonly JournalEvent[],
  rules: RetryRules,
  plan: RepeatPlan | null = null,
): TakenOver {
  const { times } = plan ?? ONCE;
  const attempts = new Map<string, AttemptFinished[]>();
  for (const event of records) if (event.type === 'attempt-started') attempts.set(keyOfTest(event), []);
  const settled = new Map<string, AttemptFinished>();
  const skipped = new Set<string>();
  for (const event of keepFinished(records)) {
    if (event.type === 'scenario-skipped') skipped.add(keyOfTest(event));
    if (event.type !== 'attempt-finished') continue;
    const key = keyOfTest(event);
    const own = [...(attempts.get(key) ?? []), event];
    attempts.set(key, own);
    // An interrupt may have kept a test from its retry, so the rules decide, and not what the record says.
    const repeats = groupRepeats(own);
    if (decideRetry(repeats.at(-1) ?? [], rules) === null && repeats.length >= times) settled.set(key, event);
  }
  return { settled, attempts, skipped };
}
