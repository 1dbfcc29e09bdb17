import type { BackendId, Lane } from '../vocabulary.js';
import type { ScenarioContext } from './arrangement.js';

/** Returns a context without random values, so that the names of checks stay the same in documents and proofs. */
export function sampleContext(backend: BackendId, lane: Lane): ScenarioContext {
  return { backend, lane, nonce: 'nonce1234', numbers: [111, 222, 444] };
}
