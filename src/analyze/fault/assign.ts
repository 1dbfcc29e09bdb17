import type { CheckResult } from '../../domain/check.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { Fault, FaultFacts } from '../../domain/fault.js';
import { findPartOfCli, findTurnDeviation } from './conversation.js';
import { type Deviation, findDeviation } from './explain.js';
import { findTrouble } from './infrastructure.js';
import { couldFollow, isEngaged, openLoop } from './loop.js';
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
  const from = Math.min(...found.map(({ at }) => at));
  const open = red.filter(
    (check) => examined.find(check) === null && !(follows(check, from) && examined.couldFollow(check)),
  );
  if (found.length > 0 && open.length === 0)
    return { whose: 'agent', because: [...new Set(found.map(({ because }) => because))] };
  const [first] = open.length > 0 ? open : red;
  return {
    whose: 'target',
    because: first === undefined ? [] : [`Nothing that the agent did explains: ${first.name}.`],
  };
}

/** The question what the agent made of what it was told; or why nobody can ask it, in one sentence. */
interface Examination {
  /** How the agent parted from its instructions, as far as this check shows it. */
  readonly find: (check: CheckResult) => Deviation | null;
  /** Whether what the check wants could have come, had the agent done as it was told. */
  readonly couldFollow: (check: CheckResult) => boolean;
}

function examineLoop({ checks, evidence }: FaultFacts): Examination | string {
  const loop = openLoop(evidence);
  if (loop === null) return 'The configuration cannot be read, so nobody knows what the agent was to do.';
  const broken = findBrokenPart(evidence, loop.arranged);
  if (broken !== null) return broken;
  if (!isEngaged(loop, checks)) return 'Nothing shows that the prompt arrived at the agent.';
  return {
    find: (check) => findDeviation(check, loop),
    couldFollow: (check) => couldFollow(check, loop),
  };
}

function examineTurns(evidence: Evidence): Examination | string {
  const { conversation } = evidence;
  if (conversation === undefined) return 'There is no conversation.';
  const broken = findPartOfCli(evidence, conversation);
  return (
    broken ?? {
      find: (check) => findTurnDeviation(check, evidence, conversation),
      couldFollow: ({ judges }) => judges === 'course',
    }
  );
}

/**
 * Whether the failure of a check can follow from what the agent did in an iteration or turn: it judges what the agent made, or
 * what the target made of that, and no moment before that. The prompt of that very iteration was sent before.
 */
function follows({ judges, category, about = {} }: CheckResult, from: number): boolean {
  const place = about.iteration ?? about.turn;
  if (judges === undefined || !Number.isFinite(from)) return false;
  if (place === undefined) return true;
  return category === 'PromptContent' ? place > from : place >= from;
}
