import * as z from 'zod';
import type { Evidence } from '../evidence/evidence.js';

/** What makes a scenario hard on purpose, and why that presses. */
export const pressureFactorSchema = z.object({ name: z.string(), description: z.string(), why: z.string() });
export type PressureFactor = z.infer<typeof pressureFactorSchema>;

const gradeSchema = z.enum(['optimal', 'acceptable', 'concerning']);
type Grade = z.infer<typeof gradeSchema>;

/** How well a scenario can pass: in words for people, and as a measure of the evidence. */
export interface QualityCriterion {
  readonly name: string;
  readonly optimal: string;
  readonly acceptable: string;
  readonly concerning: string;
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

/** Applies criteria to what a run left behind. */
export function gradeAll(criteria: readonly QualityCriterion[], evidence: Evidence): GradedCriterion[] {
  return criteria.map(({ name, optimal, acceptable, concerning, grade }) => ({
    name,
    optimal,
    acceptable,
    concerning,
    grade: grade(evidence),
  }));
}

/** The usual criterion: a count that is best small. */
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
