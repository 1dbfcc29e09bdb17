import { randomInt } from 'node:crypto';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';

/** A whole number from `low` up to, and without, `high`. */
type Draw = (low: number, high: number) => number;

/** Draws what is random in an attempt. */
export function drawContext(backend: BackendId, lane: Lane, draw: Draw = randomInt): ScenarioContext {
  for (;;) {
    const nonce = drawNonce(draw);
    const numbers = [draw(100, 1000), draw(100, 1000), draw(100, 1000)] as const;
    if (tellApart(nonce, numbers)) return { backend, lane, nonce, numbers };
  }
}

function drawNonce(draw: Draw): string {
  const letters = Array.from({ length: 6 }, () => String.fromCharCode(97 + draw(0, 26))).join('');
  return `${letters}${draw(1000, 10_000)}`;
}

/**
 * Two numbers that happen to be equal, or a sum that the prompt happens to contain, once in hundreds of runs, would
 * turn a scenario red (one id for two memories) or let an agent pass that only echoes its prompt.
 */
function tellApart(nonce: string, [a, b, c]: ScenarioContext['numbers']): boolean {
  const telling = [a, b, c, a + b, a + c, b + c, a + b + c];
  return (
    new Set(telling).size === telling.length && !telling.some((number) => nonce.includes(String(number)))
  );
}
