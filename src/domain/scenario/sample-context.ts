import type { BackendId, Lane } from '../vocabulary.js';
import type { ScenarioContext } from './arrangement.js';

/** A context in which nothing is random, for names of checks that stay the same: in documents and in proofs. */
export function sampleContext(backend: BackendId, lane: Lane): ScenarioContext {
  return { backend, lane, nonce: 'nonce1234', numbers: [111, 222, 444] };
}
