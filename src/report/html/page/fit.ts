import type { Detail } from '../../content/content.js';
import { bytesOf, type Markup } from './markup.js';

/** From everything to the least that is worth opening. Below the last level, a test is only its row. */
export const DETAILS: readonly Detail[] = [
  { text: 24_000, line: 600, rows: 200, iterations: 60 },
  { text: 8_000, line: 600, rows: 80, iterations: 24 },
  { text: 3_000, line: 400, rows: 30, iterations: 10 },
  { text: 1_200, line: 300, rows: 12, iterations: 5 },
  { text: 500, line: 200, rows: 6, iterations: 3 },
  { text: 160, line: 120, rows: 4, iterations: 2 },
];

/** A share that grows by less is not worth another try. */
const SMALLEST_STEP = 1.03;

/** Something that can be rendered in more or less detail. */
export interface Fitting {
  /** Its share of the space, relative to the others. */
  readonly weight: number;
  /** Null: as short as possible. */
  readonly render: (detail: Detail | null) => Markup;
}

/**
 * Renders each item in as much detail as the space in bytes allows. All start with an equal share, by weight; the small
 * ones leave their rest to the others, so that one endless output costs the other tests nothing. Rendering is lazy.
 */
export function fitWithin(items: readonly Fitting[], room: number): (() => Markup)[] {
  const sized = items.map(measure);
  const weights = items.reduce((sum, { weight }) => sum + weight, 0);
  let share = room / Math.max(1, weights);
  let chosen = choose(sized, share);
  let step = 1.5;
  // More detail never takes less space: after the first share that is too large, smaller steps find what still fits.
  while (chosen.some(({ isFullest }) => !isFullest) && step > SMALLEST_STEP) {
    const next = choose(sized, share * step);
    if (totalOf(next) > room) step = Math.sqrt(step);
    else {
      share *= step;
      chosen = next;
    }
  }
  return chosen.map(({ render }) => render);
}

interface Choice {
  readonly bytes: number;
  readonly isFullest: boolean;
  readonly render: () => Markup;
}

type Measured = (share: number) => Choice;

/** Keeps sizes, not texts: ten thousand tests at every level of detail would not fit into memory. */
function measure({ weight, render }: Fitting): Measured {
  const levels = [null, ...DETAILS.toReversed()];
  const sizes: number[] = [];
  const sizeAt = (level: number) => {
    sizes[level] ??= bytesOf(render(levels[level] ?? null));
    return sizes[level];
  };
  return (share) => {
    let level = 0;
    while (level + 1 < levels.length && sizeAt(level + 1) <= share * weight) level += 1;
    return {
      bytes: sizeAt(level),
      isFullest: level + 1 === levels.length,
      render: () => render(levels[level] ?? null),
    };
  };
}

function choose(items: readonly Measured[], share: number): Choice[] {
  return items.map((item) => item(share));
}

function totalOf(choices: readonly Choice[]): number {
  return choices.reduce((sum, { bytes }) => sum + bytes, 0);
}
