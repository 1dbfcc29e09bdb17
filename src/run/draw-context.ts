import { randomInt } from 'node:crypto';
import type { ScenarioContext } from '../domain/scenario.js';
import type { BackendId, Lane } from '../domain/vocabulary.js';

/** Draws what is random in an attempt. */
export function drawContext(backend: BackendId, lane: Lane): ScenarioContext {
  const letters = Array.from({ length: 6 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  return {
    backend,
    lane,
    nonce: `${letters}${randomInt(1000, 10_000)}`,
    numbers: [randomInt(100, 1000), randomInt(100, 1000), randomInt(100, 1000)],
  };
}
