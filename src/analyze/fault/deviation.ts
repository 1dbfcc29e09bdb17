import type { Fault } from '../../domain/fault.js';
import type { FaultFacts } from './facts.js';

/** Returns the agent's fault if the evidence explains every failed check by what the agent did, or null. */
export function findDeviation(_facts: FaultFacts): Fault | null {
  return null;
}
