import { toFault } from '../../../agent/server/faults.js';
import type { Failure } from '../../../domain/agent-script.js';

/** Describes a failure in pi's words. */
export function describePiFailure(failure: Failure): string {
  const fault = toFault(failure);
  switch (fault.kind) {
    case 'refuse':
      return `${fault.status} ${fault.message}`;
    case 'cut':
    case 'garble':
      return 'terminated';
    case 'reset':
    case 'silence':
      return 'Connection error.';
    default:
      return fault satisfies never;
  }
}
