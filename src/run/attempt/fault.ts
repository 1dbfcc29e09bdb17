import { assignFault } from '../../analyze/fault/assign.js';
import { whereDiverged } from '../../domain/checks/recording.js';
import type { Fault, FaultFacts } from '../../domain/fault.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';

/**
 * Decides whose fault a failed attempt is. In a lane with a script the agent does what its author wrote, and our own
 * server or stand-in answers: whatever goes wrong there is the target's.
 */
export function faultIn(
  { lane, isReplay }: { readonly lane: Lane; readonly isReplay: boolean },
  facts: FaultFacts,
): Fault {
  const divergence = isReplay ? whereDiverged(facts.evidence) : null;
  if (divergence !== null) return { whose: 'recording', because: [divergence] };
  return LANE_TRAITS[lane].hasScript ? { whose: 'target', because: [] } : assignFault(facts);
}
