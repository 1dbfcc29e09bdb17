/** A job in the queue. Jobs of the same lane (here: a backend) can be limited separately. */
export interface ScheduledJob<Job> {
  readonly job: Job;
  readonly lane: string;
  /** No other job of its lane starts before this one has ended. */
  readonly first: boolean;
  /** Jobs with the same name here run one after the other. */
  readonly series?: string;
}

export interface ScheduleLimits {
  readonly total: number;
  /** Asked before each start, so that it may change while jobs run. */
  readonly perLane: (lane: string) => number;
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
    done: Promise<void>;
  }>();
  const mayStart = ({ lane, first, series }: ScheduledJob<Job>) => {
    if (series !== undefined && [...running].some((entry) => entry.series === series)) return false;
    const inLane = [...running].filter((entry) => entry.lane === lane);
    const held = inLane.some((entry) => entry.first) || (first && inLane.length > 0);
    return !held && inLane.length < limits.perLane(lane);
  };
  const startNext = (): boolean => {
    if (stop() || running.size >= limits.total) return false;
    const index = waiting.findIndex(mayStart);
    const [next] = index < 0 ? [] : waiting.splice(index, 1);
    if (next === undefined) return false;
    const { lane, first, series } = next;
    const entry = { lane, first, series, done: Promise.resolve() };
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
