import type { EventRecord } from '../../domain/evidence/evidence.js';

/** When the iterations of a run began and ended. */
export interface Timeline {
  readonly began: number;
  readonly ended: number;
  readonly numbers: readonly number[];
  /** Returns the iteration at a time: the first that had not ended before it. */
  readonly at: (milliseconds: number) => number;
}

/** Reads the times of a run from Ralph's own rows; null if they show no iteration. */
export function readTimeline(
  events: readonly EventRecord[],
  prompts: readonly { readonly iteration: number }[],
): Timeline | null {
  const own = events.filter(({ source }) => source === 'ralph');
  const ends = new Map<number, number>();
  for (const { topic, iteration, timestamp } of own)
    if (topic === 'iteration.summary' && iteration !== null) ends.set(iteration, Date.parse(timestamp));
  const numbers = [...new Set([...prompts.map(({ iteration }) => iteration), ...ends.keys()])].sort(
    (one, other) => one - other,
  );
  const [first] = own;
  const last = own.at(-1);
  if (first === undefined || last === undefined || numbers.length === 0) return null;
  const ended = Date.parse(last.timestamp);
  return {
    began: Date.parse(first.timestamp),
    ended,
    numbers,
    at: (milliseconds) =>
      numbers.find((number) => (ends.get(number) ?? ended) >= milliseconds) ?? numbers.at(-1) ?? 1,
  };
}
