export const WORDS =
  'amber birch cedar delta ember flint grove heron iris jade kite lotus maple nova onyx pearl'.split(' ');

/** Names that are fine for files, and that Claude Code changes in some places and not in others. */
const ODD_WORDS = ['v1.2', 'naïve', 'x_y', 'two words', '日本', 'Mixed', '.hidden', 'a+b', 'e..f'];

/** Draws names for files and folders: most plain, some odd. */
export function fileNames(draw, most) {
  return draw.some(WORDS, most).map((word) => (draw.chance(0.2) ? draw.pick(ODD_WORDS) : word));
}
