/** Something that runs as one piece, and how long that should take. */
interface Weighed {
  readonly key: string;
  readonly seconds: number;
}

/**
 * Distributes tests to shards so that all take about the same time: the longest first, each to the shard that has the
 * least so far. Returns the shard of each key, from 1. The result does not depend on the order of the tests.
 */
export function partition(tests: readonly Weighed[], total: number): ReadonlyMap<string, number> {
  const shards = Array.from({ length: total }, (_, index) => ({ number: index + 1, load: 0, count: 0 }));
  const byLength = tests.toSorted((a, b) => b.seconds - a.seconds || (a.key < b.key ? -1 : 1));
  return new Map(
    byLength.map(({ key, seconds }) => {
      const least = shards.reduce((best, shard) => (isLess(shard, best) ? shard : best));
      least.load += seconds;
      least.count += 1;
      return [key, least.number];
    }),
  );
}

interface Filled {
  readonly load: number;
  readonly count: number;
}

/** With equal loads, the shard with fewer tests comes first: tests of no known length are dealt out in turn. */
function isLess(one: Filled, other: Filled): boolean {
  return one.load < other.load || (one.load === other.load && one.count < other.count);
}
