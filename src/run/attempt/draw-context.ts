import { randomInt } from 'node:crypto';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import { firstOther } from '../../domain/scenario/sample-context.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';

/** Draws an integer from `low` (inclusive) to `high` (exclusive). */
type Draw = (low: number, high: number) => number;

interface DrawOptions {
  readonly draw?: Draw;
  /** The second backend of the run. */
  readonly second?: BackendId | undefined;
  /** The smallest number to draw. */
  readonly lowest?: number;
}

/** Draws the random word and numbers of an attempt. */
export function drawContext(
  backend: BackendId,
  lane: Lane,
  { draw = randomInt, lowest = 100, second = firstOther(backend) }: DrawOptions = {},
): ScenarioContext {
  for (;;) {
    const nonce = drawNonce(draw);
    const numbers = [draw(lowest, 1000), draw(lowest, 1000), draw(lowest, 1000)] as const;
    if (tellApart(nonce, numbers)) return { backend, lane, second, nonce, numbers };
  }
}

function drawNonce(draw: Draw): string {
  const letters = Array.from({ length: 6 }, () => String.fromCharCode(97 + draw(0, 26))).join('');
  return `${letters}${draw(1000, 10_000)}`;
}

/**
 * Whether all numbers and sums differ and none is in the nonce. Once in hundreds of runs they would not: equal numbers
 * would fail a scenario (one id for two memories), and a sum inside the prompt would let an agent pass that echoes it.
 */
function tellApart(nonce: string, [a, b, c]: ScenarioContext['numbers']): boolean {
  const telling = [a, b, c, a + b, a + c, b + c, a + b + c];
  return (
    new Set(telling).size === telling.length && !telling.some((number) => nonce.includes(String(number)))
  );
}
