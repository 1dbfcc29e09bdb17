import type { Fault } from '../../domain/fault.js';
import { findDeviation } from './deviation.js';
import type { FaultFacts } from './facts.js';
import { findTrouble } from './infrastructure.js';

/** Decides whose fault it is that checks failed. In doubt it is the target's. */
export function assignFault(facts: FaultFacts): Fault {
  return findTrouble(facts) ?? findDeviation(facts) ?? { whose: 'target', because: [] };
}
