import type { CheckResult } from '../../../../domain/check.js';
import { wasReached } from '../../../../domain/diagnosis/clues.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import { COMMAND_OBSERVERS } from './commands.js';
import { DEED_OBSERVERS } from './deeds.js';
import { LOOP_OBSERVERS } from './loop.js';
import { PROMPT_OBSERVERS } from './prompts.js';
import { type CheckObservation, describeEnd, describePlainly, type Observe } from './words.js';

/** Says what a failed check shows, and which way it differs from what is expected. */
export function observe(check: CheckResult, evidence: Evidence | null): CheckObservation {
  if (evidence === null) return describePlainly(check);
  if (!wasReached(check, evidence)) return describeUnreached(check, evidence);
  return OBSERVERS[check.kind]?.(check, evidence) ?? describePlainly(check);
}

/** Whether an observation says more than the two texts that reports print anyway. */
export function isTelling(check: CheckResult, evidence: Evidence): boolean {
  return !wasReached(check, evidence) || (OBSERVERS[check.kind]?.(check, evidence) ?? null) !== null;
}

/** The loop was over before the iteration that the check looks at. */
function describeUnreached({ about = {} }: CheckResult, evidence: Evidence): CheckObservation {
  const end = describeEnd(evidence);
  return { text: `${end} The test expects an iteration ${about.iteration}.`, direction: 'early' };
}

const OBSERVERS: Readonly<Record<string, Observe>> = {
  ...PROMPT_OBSERVERS,
  ...LOOP_OBSERVERS,
  ...DEED_OBSERVERS,
  ...COMMAND_OBSERVERS,
};
