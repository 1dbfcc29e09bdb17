import { createHash, randomInt } from 'node:crypto';

/** Seeds stay short enough to be typed. */
const SEEDS = 1_000_000;

/** A seed for an order that nobody asked for by name. */
export function drawSeed(): number {
  return randomInt(SEEDS);
}

/**
 * The same list in an order that depends on the seed and on the names of its members alone: what a filter leaves out
 * does not change how the rest stands to each other, so that an order can be cut down while a failure is looked for.
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
