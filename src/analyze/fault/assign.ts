import type { CheckResult } from '../../domain/check.js';
import { whereDiverged } from '../../domain/checks/recording.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { Fault, FaultFacts } from '../../domain/fault.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { mayFollow } from './consequence.js';
import { findPartOfCli, findTurnDeviation } from './conversation.js';
import { type Deviation, findDeviation } from './explain.js';
import { findTrouble } from './infrastructure.js';
import { isEngaged, openLoop } from './loop.js';
import { findBrokenPart } from './ralphs-part.js';

/**
 * Decides whose fault it is that checks failed. It is the agent's if four things hold: the target's records show that it did
 * its part, the agent's own output shows that it did something else than it was told, every other failed check follows from
 * that, and the agent shows that its prompt arrived. In doubt it is the target's.
 */
export function assignFault(facts: FaultFacts): Fault {
  const trouble = findTrouble(facts);
  if (trouble !== null) return trouble;
  const { checks, evidence, excused = [] } = facts;
  // Only scripted agents have the check on the script, and nothing may depend on who plays the agent.
  const red = checks.filter(
    (check) => !check.passed && !excused.includes(check.key) && check.kind !== 'scriptAnswered',
  );
  const examined = evidence.conversation === undefined ? examineLoop(facts) : examineTurns(evidence);
  if (typeof examined === 'string') return { whose: 'target', because: [examined] };
  const found = red.flatMap((check) => examined.find(check) ?? []);
  const from = Math.min(...found.filter(({ altersCourse }) => altersCourse).map(({ at }) => at));
  const open = red.filter((check) => examined.find(check) === null && !examined.follows(check, from, red));
  if (found.length > 0 && open.length === 0)
    return { whose: 'agent', because: [...new Set(found.map(({ because }) => because))] };
  const [first] = open.length > 0 ? open : red;
  return {
    whose: 'target',
    because:
      first === undefined
        ? []
        : [`Nothing that the agent did explains why this check failed: ${first.name}.`],
  };
}

/** The question what the agent made of what it was told; or why nobody can ask it, in one sentence. */
interface Examination {
  /** How the agent parted from its instructions, as far as this check shows it. */
  readonly find: (check: CheckResult) => Deviation | null;
  /** Whether the check can have failed because of how the agent altered the course from an iteration on. */
  readonly follows: (check: CheckResult, from: number, red: readonly CheckResult[]) => boolean;
}

function examineLoop({ checks, evidence }: FaultFacts): Examination | string {
  const loop = openLoop(evidence);
  if (loop === null) return 'The configuration cannot be read, so nobody knows what the agent was to do.';
  const broken = findBrokenPart(evidence, loop.arranged);
  if (broken !== null) return broken;
  if (!isEngaged(loop, checks)) return 'Nothing shows that the prompt arrived at the agent.';
  return {
    find: (check) => findDeviation(check, loop),
    follows: (check, from, red) => mayFollow(check, from, loop, red),
  };
}

function examineTurns(evidence: Evidence): Examination | string {
  const { conversation } = evidence;
  if (conversation === undefined) return 'There is no conversation.';
  const broken = findPartOfCli(evidence, conversation);
  return (
    broken ?? {
      find: (check) => findTurnDeviation(check, evidence, conversation),
      // Every turn takes place, so each failed check must show the deviation itself.
      follows: () => false,
    }
  );
}

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
