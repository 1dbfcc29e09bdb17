import type { AttemptFinished } from '../../domain/attempt.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { handleRecord, type JournalEvent, type RecordHandlers } from '../../domain/journal.js';
import { addSpending, NOTHING_SPENT, type Spending } from '../../domain/money/spending.js';
import { type BackendId, keyOfTest } from '../../domain/vocabulary.js';
import { averageOf, usdPerToken } from './calls.js';

/** Knows what a run has spent, and whether it may spend more. */
export interface Meter {
  /** Adds the cost to a record of what ended, and keeps count of what runs. */
  readonly read: (event: JournalEvent) => JournalEvent;
  /**
   * True if what was spent, together with the estimate of what runs, has reached the limit. `ended` is an attempt that
   * ended and is not recorded yet: its cost counts instead of its estimate.
   */
  readonly isReached: (ended?: AttemptFinished) => boolean;
  /** Whether so many more calls on a backend fit within the limit. */
  readonly affords: (calls: number, backend: BackendId) => boolean;
  /** Prices what else ran, such as the analysis; null in a lane that costs nothing. */
  readonly price: (evidence: Evidence | null, backend: BackendId) => Spending | null;
}

/** A meter for lanes that cost nothing. */
export const FREE: Meter = {
  read: (event) => event,
  isReached: () => false,
  affords: () => true,
  price: () => null,
};

interface MeterOptions {
  readonly maxUsd: number | null;
  /** What each test is expected to cost, by its key. */
  readonly expected: ReadonlyMap<string, number>;
  readonly model: string | null;
  /** What the run spent before it was resumed. */
  readonly already: readonly Spending[];
}

/** Creates the meter of a run. */
export function createMeter({ maxUsd, expected, model, already }: MeterOptions): Meter {
  const running = new Map<string, number>();
  const spent = [...already];
  const price = (evidence: Evidence | null, backend: BackendId) => priceAttempt(evidence, backend, model);
  const handlers: Partial<RecordHandlers<JournalEvent>> = {
    'attempt-started': (event) => {
      const key = keyOfTest(event);
      running.set(key, expected.get(key) ?? 0);
      return event;
    },
    'attempt-finished': (event) => {
      running.delete(keyOfTest(event));
      const spending = price(event.evidence, event.backend);
      spent.push(spending);
      return { ...event, spending };
    },
    'baseline-finished': (event) => {
      if (event.spending) spent.push(event.spending);
      return event;
    },
  };
  const read = (event: JournalEvent): JournalEvent => handleRecord(event, handlers) ?? event;
  const used = (): number =>
    addSpending(spent).usd + [...running.values()].reduce((sum, usd) => sum + usd, 0);
  const isReached = (ended?: AttemptFinished): boolean => {
    if (maxUsd === null) return false;
    if (ended === undefined) return used() >= maxUsd;
    const expectedUsd = running.get(keyOfTest(ended)) ?? 0;
    return used() - expectedUsd + price(ended.evidence, ended.backend).usd >= maxUsd;
  };
  const affords = (calls: number, backend: BackendId): boolean =>
    maxUsd === null || used() + calls * (averageOf(backend, 'iteration', model)?.usd ?? 0) <= maxUsd;
  return { read, isReached, affords, price };
}

/** Prices an attempt: what the CLI reported, and an estimate for calls about which it reported nothing. */
function priceAttempt(evidence: Evidence | null, backend: BackendId, model: string | null): Spending {
  if (evidence === null) return NOTHING_SPENT;
  const calls = evidence.iterations.length;
  const { usage } = evidence;
  const average = averageOf(backend, evidence.conversation === undefined ? 'iteration' : 'turn', model);
  const reported = usage === null ? 0 : Math.min(calls, usage.calls ?? calls);
  const silent = calls - reported;
  const tokens = usage === null ? 0 : usage.inputTokens + usage.outputTokens + (usage.cacheTokens ?? 0);
  const usd = usage?.costUsd ?? 0;
  // A CLI that counts tokens and reports no cost does not know the price of its model.
  const byTokens = usd > 0 ? 0 : tokens * usdPerToken(usage?.model ?? model);
  const estimatedUsd = byTokens + silent * (average?.usd ?? 0);
  return {
    calls,
    tokens: usage === null || reported === 0 ? null : tokens,
    usd: usd + estimatedUsd,
    estimatedUsd,
  };
}
