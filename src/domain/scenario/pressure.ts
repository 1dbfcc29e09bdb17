import * as z from 'zod';
import type { Evidence } from '../evidence/evidence.js';

/** Something that makes a scenario hard on purpose, and why it does. */
export const pressureFactorSchema = z.object({ name: z.string(), description: z.string(), why: z.string() });
export type PressureFactor = z.infer<typeof pressureFactorSchema>;

const gradeSchema = z.enum(['optimal', 'acceptable', 'concerning']);
type Grade = z.infer<typeof gradeSchema>;

/** A criterion for how well a scenario passed. */
export interface QualityCriterion {
  /** What is measured, as reports print it. */
  readonly name: string;
  /** Describes the best grade. */
  readonly optimal: string;
  /** Describes the middle grade. */
  readonly acceptable: string;
  /** Describes the worst grade. */
  readonly concerning: string;
  /** Grades the evidence. */
  readonly grade: (evidence: Evidence) => Grade;
}

export const gradedCriterionSchema = z.object({
  name: z.string(),
  optimal: z.string(),
  acceptable: z.string(),
  concerning: z.string(),
  grade: gradeSchema,
});
export type GradedCriterion = z.infer<typeof gradedCriterionSchema>;

/** Grades the evidence of a run by each criterion. */
export function gradeAll(criteria: readonly QualityCriterion[], evidence: Evidence): GradedCriterion[] {
  return criteria.map(({ name, optimal, acceptable, concerning, grade }) => ({
    name,
    optimal,
    acceptable,
    concerning,
    grade: grade(evidence),
  }));
}

/** Builds a criterion for a count that should be small. */
export function atMost(
  name: string,
  count: (evidence: Evidence) => number,
  limits: { readonly optimal: number; readonly acceptable: number; readonly unit: string },
): QualityCriterion {
  const { optimal, acceptable, unit } = limits;
  return {
    name,
    optimal: `at most ${optimal} ${unit}`,
    acceptable: `at most ${acceptable} ${unit}`,
    concerning: `more than ${acceptable} ${unit}`,
    grade: (evidence) => {
      const found = count(evidence);
      return found <= optimal ? 'optimal' : found <= acceptable ? 'acceptable' : 'concerning';
    },
  };
}
