// Draws by a seed (mulberry32): small, and the same everywhere.

/** @param {number} seed any integer: only its lower 32 bits count */
export function drawFrom(seed) {
  let state = seed | 0;
  /** A number from 0, below 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** @param {number} limit */
  const below = (limit) => Math.floor(next() * limit);
  return {
    next,
    below,
    /** @param {number} share */
    chance: (share) => next() < share,
    /**
     * @template Item
     * @param {readonly [Item, ...Item[]]} list
     */
    pick: (list) => {
      const at = below(list.length);
      return list.reduce((picked, item, index) => (index === at ? item : picked));
    },
    /**
     * One of a list, or more.
     * @template Item
     * @param {readonly Item[]} list
     * @param {number} most
     */
    some: (list, most) => [...list].sort(() => next() - 0.5).slice(0, 1 + below(most)),
  };
}
