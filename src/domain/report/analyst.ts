import * as z from 'zod';
import { spendingSchema } from '../money/spending.js';
import { diagnosisSchema, passedAnalysisSchema, recommendationSchema } from './analysis.js';

/**
 * The analysis of a failed test by the analyst (Ralph itself, with an analyzer hat). A model answers, so every field
 * except the ids may be missing, and we keep what is usable.
 */
const failedAnalysisSchema = z.object({
  scenario_id: z.string(),
  backend: z.string().nullable().default(null),
  failure_type: diagnosisSchema.shape.failure_type.nullable(),
  root_cause_hypothesis: z.string().nullable(),
  evidence: z.array(z.string()),
  suggested_investigations: z.array(z.string()),
  potential_fixes: diagnosisSchema.shape.potential_fixes,
});

const passedReviewSchema = z.object({
  scenario_id: z.string(),
  quality_score: passedAnalysisSchema.shape.quality_score.nullable(),
  warnings: z.array(z.object({ category: z.string(), message: z.string(), evidence: z.string() })),
  optimizations: passedAnalysisSchema.shape.optimizations,
});

const patternSchema = z.object({
  description: z.string(),
  affected_tests: z.array(z.string()),
  suggested_fix: z.string().nullable(),
});

export const analystAnswerSchema = z.object({
  failed_analyses: z.array(failedAnalysisSchema),
  passed_analyses: z.array(passedReviewSchema),
  patterns: z.array(patternSchema),
  recommendations: z.array(recommendationSchema),
});
export type AnalystAnswer = z.infer<typeof analystAnswerSchema>;

/** Who analyzed the run, and how it went. A failed analysis is a note; it never fails the run. */
export const analysisRecordSchema = z.object({
  outcome: z.enum(['done', 'failed', 'skipped']),
  /** A scripted analyst only exercises the code path and knows nothing, so its words are marked. */
  by: z.enum(['model', 'script']).nullable(),
  backend: z.string().nullable(),
  durationSeconds: z.number(),
  /** Why it was skipped or failed, or which part of the answer could not be read. */
  notes: z.array(z.string()),
  answer: analystAnswerSchema.nullable(),
  /** What it cost, in the live lane. */
  spending: spendingSchema.optional(),
});
export type AnalysisRecord = z.infer<typeof analysisRecordSchema>;
