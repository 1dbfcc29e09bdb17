import type { Fault } from '../../domain/fault.js';
import type { FaultFacts } from './facts.js';

/** Returns the fault of the service behind the agent CLI, if the evidence shows one, or null. */
export function findTrouble(_facts: FaultFacts): Fault | null {
  return null;
}
