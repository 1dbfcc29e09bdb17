import { createHash, randomInt } from 'node:crypto';

/** How many seeds there are: few enough that a seed is short to type. */
const SEEDS = 1_000_000;

/** Draws a random seed. */
export function drawSeed(): number {
  return randomInt(SEEDS);
}

/**
 * Orders a list by the seed and the names of its members only. If a filter removes some, the rest keep their order, so
 * that you can narrow down a failure that depends on the order.
 */
export function shuffle<Item>(
  items: readonly Item[],
  seed: number,
  nameOf: (item: Item) => string,
): readonly Item[] {
  return items
    .map((item) => ({ item, rank: rank(`${seed} ${nameOf(item)}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ item }) => item);
}

function rank(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
