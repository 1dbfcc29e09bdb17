import type { Failure } from '../../domain/agent-script.js';

/** A failure in plain words, for CLIs whose own words we do not know. */
export function describeFailure(failure: Failure): string {
  return 'message' in failure && failure.message !== undefined ? failure.message : failure.type;
}
