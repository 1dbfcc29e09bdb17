import { type BackendId, type Lane, PRIMARY_BACKENDS } from '../vocabulary.js';
import type { ScenarioContext } from './arrangement.js';

/** Returns a context without random values, so that the names of checks stay the same in documents and proofs. */
export function sampleContext(backend: BackendId, lane: Lane): ScenarioContext {
  return { backend, lane, second: firstOther(backend), nonce: 'nonce1234', numbers: [111, 222, 444] };
}

/** Returns the second backend of a scenario as long as nobody knows which ones are ready. */
export function firstOther(backend: BackendId): BackendId {
  return PRIMARY_BACKENDS.find((id) => id !== backend) ?? backend;
}
