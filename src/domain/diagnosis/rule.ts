import type { CheckResult } from '../check.js';
import type { HeldPromise } from '../contract.js';
import type { Blame, Diagnosis, FailureType } from '../report/analysis.js';
import type { Case } from './clues.js';

type PotentialFix = Diagnosis['potential_fixes'][number];

/** What the reader should look at and change. */
interface Advice {
  readonly investigations: readonly string[];
  readonly fixes: readonly PotentialFix[];
}

/** What a rule found in a case. Its fields override the general ones of the rule. */
interface Finding extends Partial<Advice> {
  readonly evidence: readonly string[];
  readonly type?: FailureType;
  readonly blames?: Blame;
  readonly hypothesis?: string;
  /** The failed check that it starts from. */
  readonly check?: CheckResult;
  readonly promises?: readonly HeldPromise[];
  /** The areas of Ralph's contract that it points to, if no promise names them. */
  readonly areas?: readonly string[];
}

type FullFinding = Finding & { readonly hypothesis: string };

/**
 * One way to explain a failure: what it says in general, and how to find it. `find` returns the evidence alone where
 * the general words are enough. Rules are pure and read only the case.
 */
export type DiagnosisRule = {
  readonly name: string;
  readonly type: FailureType;
  readonly blames: Blame;
} & Partial<Advice> &
  (
    | {
        readonly hypothesis: string;
        readonly find: (failure: Case) => Finding | Finding['evidence'] | null;
      }
    | { readonly hypothesis?: never; readonly find: (failure: Case) => FullFinding | null }
  );

/** Applies a rule to a case. Returns null if the rule does not explain it. */
export function applyRule(rule: DiagnosisRule, failure: Case): Diagnosis | null {
  const found = findBy(rule, failure);
  if (found === null) return null;
  return {
    failure_type: found.type ?? rule.type,
    blames: found.blames ?? rule.blames,
    rule: rule.name,
    ...(found.check === undefined ? {} : { check: found.check.key }),
    areas: [...new Set(found.areas ?? found.promises?.map(({ area }) => area) ?? [])],
    promises: [...(found.promises ?? [])],
    root_cause_hypothesis: found.hypothesis,
    evidence: [...found.evidence],
    similar_failures: [],
    similar_failures_left_out: 0,
    suggested_investigations: [...(found.investigations ?? rule.investigations ?? [])],
    potential_fixes: [...(found.fixes ?? rule.fixes ?? [])],
  };
}

function findBy(rule: DiagnosisRule, failure: Case): FullFinding | null {
  if (rule.hypothesis === undefined) return rule.find(failure);
  const found = rule.find(failure);
  if (found === null) return null;
  return { hypothesis: rule.hypothesis, ...('evidence' in found ? found : { evidence: found }) };
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
