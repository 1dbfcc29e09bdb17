import type { JournalEvent } from '../domain/journal.js';
import { executionKey } from '../domain/vocabulary.js';

/** How many tests run at the same time on a backend in the live lane. */
const LIVE_AT_ONCE = 4;
/** After this many attempts without a rate limit, one more test may run at the same time. */
const CALM_ATTEMPTS = 8;

/** Slows a backend down while its service answers with rate limits. */
export interface Pace {
  readonly limitOf: (backend: string) => number;
  readonly onEvent: (event: JournalEvent) => void;
}

interface Lane {
  limit: number;
  /** The number of halvings so far. */
  halvings: number;
  calm: number;
}

/** Creates a pace: each rate limit halves what may run at the same time, down to one; calm raises it step by step. */
export function createPace(most: number = LIVE_AT_ONCE): Pace {
  const lanes = new Map<string, Lane>();
  /** For each running attempt: how many halvings there were when it started. */
  const startedAt = new Map<string, number>();
  const laneOf = (backend: string): Lane => {
    const known = lanes.get(backend) ?? { limit: most, halvings: 0, calm: 0 };
    lanes.set(backend, known);
    return known;
  };
  const onEvent = (event: JournalEvent): void => {
    if (event.type === 'attempt-started')
      startedAt.set(executionKey(event.scenarioId, event.backend), laneOf(event.backend).halvings);
    if (event.type !== 'attempt-finished') return;
    const lane = laneOf(event.backend);
    const key = executionKey(event.scenarioId, event.backend);
    // Attempts that ran side by side meet the same rate limit: it counts once.
    const isNews = startedAt.get(key) === lane.halvings;
    startedAt.delete(key);
    if (event.fault?.trouble === 'rate-limit') {
      lane.calm = 0;
      if (!isNews) return;
      lane.limit = Math.max(1, Math.floor(lane.limit / 2));
      lane.halvings += 1;
      return;
    }
    lane.calm += 1;
    if (lane.calm < CALM_ATTEMPTS) return;
    lane.calm = 0;
    lane.limit = Math.min(most, lane.limit + 1);
  };
  return { limitOf: (backend) => laneOf(backend).limit, onEvent };
}
