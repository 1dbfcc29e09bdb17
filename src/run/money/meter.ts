import type { JournalEvent } from '../../domain/journal.js';
import { addSpending, type Spending } from '../../domain/money/spending.js';
import { executionKey } from '../../domain/vocabulary.js';
import type { Averages } from './averages.js';
import { priceAttempt } from './price-attempt.js';

/** Knows what a run has spent, and whether it may spend more. */
export interface Meter {
  /** Adds the cost to a record of what ended, and keeps count of what runs. */
  readonly read: (event: JournalEvent) => JournalEvent;
  /** True if what was spent, together with the estimate of what runs, has reached the limit. */
  readonly isReached: () => boolean;
}

/** A meter for lanes that cost nothing. */
export const FREE: Meter = { read: (event) => event, isReached: () => false };

interface MeterOptions {
  readonly maxUsd: number | null;
  /** What each test is expected to cost, by its key. */
  readonly expected: ReadonlyMap<string, number>;
  readonly averages: Averages;
  readonly model: string | null;
}

/** Creates the meter of a run. */
export function createMeter({ maxUsd, expected, averages, model }: MeterOptions): Meter {
  const running = new Map<string, number>();
  const spent: Spending[] = [];
  const read = (event: JournalEvent): JournalEvent => {
    switch (event.type) {
      case 'attempt-started': {
        const key = executionKey(event.scenarioId, event.backend);
        running.set(key, expected.get(key) ?? 0);
        return event;
      }
      case 'attempt-finished': {
        running.delete(executionKey(event.scenarioId, event.backend));
        const { backend, evidence } = event;
        const spending = priceAttempt(evidence, { backend, averages, model });
        spent.push(spending);
        return { ...event, spending };
      }
      default:
        return event;
    }
  };
  const isReached = (): boolean => {
    const open = [...running.values()].reduce((sum, usd) => sum + usd, 0);
    return maxUsd !== null && addSpending(spent).usd + open >= maxUsd;
  };
  return { read, isReached };
}
