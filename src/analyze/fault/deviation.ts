import type { CheckResult } from '../../domain/check.js';
import type { Fault } from '../../domain/fault.js';
import { cliDidItsPart, explainTurn } from './conversation.js';
import { EXPLANATIONS } from './explain.js';
import type { FaultFacts } from './facts.js';
import { isEngaged, openLoop } from './loop.js';
import { ralphDidItsPart } from './ralphs-part.js';

/** Returns the agent's fault if the evidence explains every failed check by what the agent did, or null. */
export function findDeviation({ checks, evidence, excused = [] }: FaultFacts): Fault | null {
  // Only scripted agents have the check on the script, and nothing may depend on who plays the agent.
  const red = checks.filter(
    (check) => !check.passed && !excused.includes(check.key) && check.kind !== 'scriptAnswered',
  );
  const because = red.length === 0 ? null : explainAll(red, { checks, evidence });
  return because === null ? null : { whose: 'agent', because: [...new Set(because)] };
}

/** Explains each failed check in a sentence; null if the target did not do its part or one of them stays open. */
function explainAll(red: readonly CheckResult[], facts: FaultFacts): string[] | null {
  const explain = prepare(red, facts);
  if (explain === null) return null;
  const because = red.flatMap((check) => explain(check) ?? []);
  return because.length === red.length ? because : null;
}

function prepare(
  red: readonly CheckResult[],
  { checks, evidence }: FaultFacts,
): ((check: CheckResult) => string | null) | null {
  const { conversation } = evidence;
  if (conversation !== undefined) {
    if (!cliDidItsPart(evidence, conversation)) return null;
    return (check) => explainTurn(check, evidence, conversation);
  }
  const loop = openLoop(evidence, red);
  if (loop === null || !ralphDidItsPart(evidence, loop.arranged) || !isEngaged(loop, checks)) return null;
  return (check) => EXPLANATIONS[check.kind]?.(check, loop) ?? null;
}
