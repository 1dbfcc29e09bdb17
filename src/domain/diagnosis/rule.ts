import type { Blame, Diagnosis, FailureType } from '../report/analysis.js';
import type { Case } from './clues.js';

type PotentialFix = Diagnosis['potential_fixes'][number];

/** What a rule found out when it applies. */
interface Finding {
  /** Where this case tells more than the rule does in general. */
  readonly blames?: Blame;
  readonly hypothesis: string;
  readonly evidence: readonly string[];
  readonly investigations: readonly string[];
  readonly fixes: readonly PotentialFix[];
}

/** One way to explain a failure. Rules are pure and look at evidence only. */
export interface DiagnosisRule {
  readonly name: string;
  readonly type: FailureType;
  readonly blames: Blame;
  readonly apply: (failure: Case) => Finding | null;
}

/** A potential fix, with how sure the rule is of it. */
export function fix(
  description: string,
  confidence: number,
  file: string | null = null,
  change: string | null = null,
): PotentialFix {
  return { description, confidence, file_to_modify: file, suggested_change: change };
}
