import * as z from 'zod';
import type { Evidence } from './evidence.js';

/** What a check is about, in the words of the report. */
export const checkCategorySchema = z.enum([
  'ExitCode',
  'OutputContains',
  'EventEmitted',
  'EventPayload',
  'FileCreated',
  'FileContains',
  'IterationCount',
  'TerminationReason',
  'PromptEffectiveness',
  'PromptContent',
  'Processes',
  'Harness',
]);
export type CheckCategory = z.infer<typeof checkCategorySchema>;

export const checkResultSchema = z.object({
  name: z.string(),
  kind: z.string(),
  category: checkCategorySchema,
  passed: z.boolean(),
  expected: z.string(),
  actual: z.string(),
  diff: z.string().nullable(),
  suggestion: z.string().nullable(),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

/** What a check found. `diff` is for texts that should have been equal, `suggestion` for what might fix it. */
export interface Verdict {
  readonly passed: boolean;
  readonly expected: string;
  readonly actual: string;
  readonly diff?: string;
  readonly suggestion?: string;
}

/** One assertion on the evidence. `kind` is the function that made it, `name` the sentence that a report prints. */
export interface Check {
  readonly kind: string;
  readonly name: string;
  readonly category: CheckCategory;
  readonly judge: (evidence: Evidence) => Verdict;
  /** Files that it judges by all of their text: they are kept whole, whatever else is shortened. */
  readonly reads?: readonly string[];
  /** Why this check needs no saboteur that kills it and it alone. */
  readonly guard?: string;
}

/** Keeps a check that cannot be shown to fail on its own, with the reason; `prove` counts these. */
export function guard(check: Check, reason: string): Check {
  return { ...check, guard: reason };
}

/** What several checks read, for one that is made of them. */
export function readsOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.flatMap(({ reads = [] }) => reads))];
}

/** Runs checks over evidence. A check that throws is a bug in the check: it must not read as a pass or vanish. */
export function judgeAll(checks: readonly Check[], evidence: Evidence): CheckResult[] {
  return checks.map(({ kind, name, category, judge }) => {
    const verdict = judge(evidence);
    return {
      kind,
      name,
      category,
      passed: verdict.passed,
      expected: verdict.expected,
      actual: verdict.actual,
      diff: verdict.diff ?? null,
      suggestion: verdict.passed ? null : (verdict.suggestion ?? null),
    };
  });
}
