import { DETAILS, type Detail } from '../test/detail.js';
import { bytesOf, type Markup } from './markup.js';

/** Something that can be told at length or briefly. */
export interface Fitting {
  /** Its part of the room, in proportion to the others. */
  readonly weight: number;
  /** Null: as briefly as it can be told. */
  readonly render: (detail: Detail | null) => Markup;
}

/**
 * Tells each as fully as the room in bytes allows. All begin with an equal share, by weight; what the small ones leave
 * over goes to the others, so that one endless output costs the other tests nothing. Who asks for them makes them, one
 * after the other.
 */
export function fitWithin(items: readonly Fitting[], room: number): (() => Markup)[] {
  const sized = items.map(measure);
  const weights = items.reduce((sum, { weight }) => sum + weight, 0);
  let share = room / Math.max(1, weights);
  let chosen = choose(sized, share);
  // What fits a larger share is never smaller, so the first step that is too much ends the search.
  while (chosen.some(({ isFullest }) => !isFullest)) {
    share *= 1.5;
    const next = choose(sized, share);
    if (totalOf(next) > room) break;
    chosen = next;
  }
  return chosen.map(({ render }) => render);
}

interface Choice {
  readonly bytes: number;
  readonly isFullest: boolean;
  readonly render: () => Markup;
}

type Measured = (share: number) => Choice;

/** Sizes are kept, texts are not: a run of ten thousand tests would not fit into memory at every length. */
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
