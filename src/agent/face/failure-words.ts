import type { Failure } from '../../domain/agent-script.js';

/** Describes a failure, for CLIs whose own error text we do not know. */
export function describeFailure(failure: Failure): string {
  return 'message' in failure && failure.message !== undefined ? failure.message : failure.type;
}
