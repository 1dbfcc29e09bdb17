import { keyOf } from '../../domain/check.js';
import type { Fault } from '../../domain/fault.js';
import { EXPLANATIONS } from './explain.js';
import type { FaultFacts } from './facts.js';
import { isEngaged, openLoop } from './loop.js';
import { ralphDidItsPart } from './ralphs-part.js';

/** Returns the agent's fault if the evidence explains every failed check by what the agent did, or null. */
export function findDeviation({ checks, evidence, excused = [] }: FaultFacts): Fault | null {
  // Only scripted agents have the check on the script, and nothing may depend on who plays the agent.
  const red = checks.filter(
    (check) => !check.passed && !excused.includes(keyOf(check)) && check.kind !== 'scriptAnswered',
  );
  if (red.length === 0 || evidence.conversation !== undefined) return null;
  const loop = openLoop(evidence, red);
  if (loop === null || !ralphDidItsPart(evidence, loop.arranged) || !isEngaged(loop)) return null;
  const because = red.map((check) => EXPLANATIONS[check.kind]?.(check, loop) ?? null);
  const known = because.filter((sentence) => sentence !== null);
  return known.length === red.length ? { whose: 'agent', because: [...new Set(known)] } : null;
}
