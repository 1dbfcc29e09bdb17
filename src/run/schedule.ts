import type { JournalEvent } from '../domain/journal.js';
import { keyOfTest } from '../domain/vocabulary.js';

/** A job in the queue. Jobs of the same lane (here: a backend) can be limited separately. */
export interface ScheduledJob<Job> {
  readonly job: Job;
  readonly lane: string;
  /** No other job of its lane starts before this one has ended. */
  readonly first: boolean;
  /** Jobs with the same name here run one after the other. */
  readonly series?: string;
  /** It mostly waits, so it holds no place of another job. */
  readonly waits?: boolean;
}

export interface ScheduleLimits {
  readonly total: number;
  /** Asked before each start, so that it may change while jobs run. */
  readonly perLane: (lane: string) => number;
  /** How many jobs that mostly wait may run in addition. Without it, they count like the others. */
  readonly waiting?: number;
}

/** Runs jobs in order within limits. Asks `stop` before each start, and returns the jobs that were not started. */
export async function runScheduled<Job>(
  jobs: readonly ScheduledJob<Job>[],
  limits: ScheduleLimits,
  work: (job: Job) => Promise<void>,
  stop: () => boolean,
): Promise<Job[]> {
  const waiting = [...jobs];
  const running = new Set<{
    lane: string;
    first: boolean;
    series: string | undefined;
    /** Whether it runs in addition to the others. */
    apart: boolean;
    done: Promise<void>;
  }>();
  const isApart = ({ waits = false }: ScheduledJob<Job>) => waits && limits.waiting !== undefined;
  const mayStart = (next: ScheduledJob<Job>) => {
    const { lane, first, series } = next;
    if (series !== undefined && [...running].some((entry) => entry.series === series)) return false;
    const inLane = [...running].filter((entry) => entry.lane === lane);
    if (inLane.some((entry) => entry.first) || (first && inLane.length > 0)) return false;
    const [apart, among] = [
      [...running].filter((entry) => entry.apart),
      inLane.filter(({ apart }) => !apart),
    ];
    if (isApart(next)) return apart.length < (limits.waiting ?? 0);
    return running.size - apart.length < limits.total && among.length < limits.perLane(lane);
  };
  const startNext = (): boolean => {
    if (stop()) return false;
    const index = waiting.findIndex(mayStart);
    const [next] = index < 0 ? [] : waiting.splice(index, 1);
    if (next === undefined) return false;
    const { lane, first, series } = next;
    const entry = { lane, first, series, apart: isApart(next), done: Promise.resolve() };
    running.add(entry);
    entry.done = work(next.job).finally(() => running.delete(entry));
    return true;
  };
  for (;;) {
    while (startNext());
    if (running.size === 0) return waiting.map(({ job }) => job);
    await Promise.race([...running].map(({ done }) => done));
  }
}

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
export function createPace(): Pace {
  const lanes = new Map<string, Lane>();
  /** For each running attempt: how many halvings there were when it started. */
  const startedAt = new Map<string, number>();
  const laneOf = (backend: string): Lane => {
    const known = lanes.get(backend) ?? { limit: LIVE_AT_ONCE, halvings: 0, calm: 0 };
    lanes.set(backend, known);
    return known;
  };
  const onEvent = (event: JournalEvent): void => {
    if (event.type === 'attempt-started') startedAt.set(keyOfTest(event), laneOf(event.backend).halvings);
    if (event.type !== 'attempt-finished') return;
    const lane = laneOf(event.backend);
    const key = keyOfTest(event);
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
    lane.limit = Math.min(LIVE_AT_ONCE, lane.limit + 1);
  };
  return { limitOf: (backend) => laneOf(backend).limit, onEvent };
}
