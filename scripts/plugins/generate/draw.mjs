/** A small generator of numbers (mulberry32), so that a seed gives the same plugins everywhere. */
export function makeDraw(seed) {
  let state = [...String(seed)].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) | 0, 7);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)],
    some: (list, most) => [...list].sort(() => next() - 0.5).slice(0, 1 + below(most)),
  };
}

export const WORDS =
  'amber birch cedar delta ember flint grove heron iris jade kite lotus maple nova onyx pearl'.split(' ');

/** Names that are fine for files, and that Claude Code changes in some places and not in others. */
const ODD_WORDS = ['v1.2', 'naïve', 'x_y', 'two words', '日本', 'Mixed', '.hidden', 'a+b', 'e..f'];

/** Draws names for files and folders: most plain, some odd. */
export function fileNames(draw, most) {
  return draw.some(WORDS, most).map((word) => (draw.chance(0.2) ? draw.pick(ODD_WORDS) : word));
}
