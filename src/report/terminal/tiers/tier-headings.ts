import type { AttemptFinished } from '../../../domain/attempt.js';
import type { JournalEvent } from '../../../domain/journal.js';
import { executionKey, type Tier, tierTitle } from '../../../domain/vocabulary.js';

/** Decides where the titles of tiers stand between the results. */
export interface TierHeadings {
  readonly onEvent: (event: JournalEvent) => void;
  /** Returns the title to print first, if any, and what to add to the result itself. */
  readonly place: (attempt: Pick<AttemptFinished, 'scenarioId' | 'backend'>) => {
    readonly heading: string | null;
    readonly note: string;
  };
}

/**
 * Creates headings that come once each, in the order of the tiers. With several jobs a test can end before the last one of
 * an earlier tier: its line then names its tier. A shuffled run has no headings.
 */
export function createTierHeadings(): TierHeadings {
  const tiers = new Map<string, Tier>();
  const open = new Map<string, Tier>();
  const shown = new Set<Tier>();
  let shuffled = false;
  return {
    onEvent: (event) => {
      if (event.type === 'run-started') {
        shuffled = event.shuffleSeed !== undefined;
        for (const { scenarioId, backend, tier, placed } of event.planned) {
          if (!placed) continue;
          tiers.set(executionKey(scenarioId, backend), tier);
          open.set(executionKey(scenarioId, backend), tier);
        }
      }
      const ended = event.type === 'attempt-finished' && event.retryInSeconds === undefined;
      if (ended || event.type === 'scenario-skipped')
        open.delete(executionKey(event.scenarioId, event.backend));
    },
    place: ({ scenarioId, backend }) => {
      const tier = tiers.get(executionKey(scenarioId, backend));
      if (shuffled || tier === undefined) return { heading: null, note: '' };
      if ([...open.values()].some((other) => other < tier)) return { heading: null, note: `tier ${tier}` };
      if (shown.has(tier)) return { heading: null, note: '' };
      shown.add(tier);
      return { heading: tierTitle(tier), note: '' };
    },
  };
}
