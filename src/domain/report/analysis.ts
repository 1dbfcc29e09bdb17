import * as z from 'zod';
import type { AttemptFinished, Planned, Target } from '../attempt.js';
import { heldPromiseSchema } from '../contract.js';
import type { BackendId, Lane } from '../vocabulary.js';
import { metricComparisonSchema, type Usual } from './expectation.js';

/** All attempts at one scenario on one backend, with what was planned for it. */
export interface Execution {
  readonly scenarioId: string;
  readonly backend: BackendId;
  /** Null if the journal has an attempt that its first record did not announce. */
  readonly planned: Planned | null;
  readonly attempts: readonly AttemptFinished[];
  /** What the latest passes took, if earlier runs are known. */
  readonly usual?: Usual;
}

/** The facts of the whole run. */
export interface RunFacts {
  readonly target: Target;
  readonly lane: Lane;
  /** True if the agent was the script of the scenario, as its author wrote it: then the agent did its part. */
  readonly agentIsHonest: boolean;
}

export const failureTypeSchema = z.enum([
  'BackendError',
  'PromptIneffective',
  'EventMissing',
  'EventMalformed',
  'TimeoutExceeded',
  'UnexpectedTermination',
  'AssertionMismatch',
  'ConfigurationError',
  'AuthenticationError',
  'Unknown',
]);
/** The type of a failure, as a diagnosis names it. */
export type FailureType = z.infer<typeof failureTypeSchema>;

/** The probable cause of a failure, as far as the evidence shows. */
const blameSchema = z.enum([
  'target',
  'agent',
  'infrastructure',
  'authentication',
  'quota',
  'harness',
  'unknown',
]);
export type Blame = z.infer<typeof blameSchema>;

export const diagnosisSchema = z.object({
  failure_type: failureTypeSchema,
  blames: blameSchema,
  /** The rule that reached this diagnosis. */
  rule: z.string(),
  /** The key of the failed check that it starts from, if it starts from one. */
  check: z.string().optional(),
  /** The areas of Ralph's contract that the diagnosis points to. */
  areas: z.array(z.string()),
  /** What the target promised and did not do, by the failed check that is the earliest in the run. */
  promises: z.array(heldPromiseSchema),
  root_cause_hypothesis: z.string(),
  evidence: z.array(z.string()),
  similar_failures: z.array(z.string()),
  /** How many more there are. */
  similar_failures_left_out: z.number(),
  suggested_investigations: z.array(z.string()),
  potential_fixes: z.array(
    z.object({
      description: z.string(),
      confidence: z.number().min(0).max(1),
      file_to_modify: z.string().nullable(),
      suggested_change: z.string().nullable(),
    }),
  ),
});
export type Diagnosis = z.infer<typeof diagnosisSchema>;

export const qualityScoreSchema = z.enum(['Optimal', 'Good', 'Acceptable', 'Suboptimal']);
export type QualityScore = z.infer<typeof qualityScoreSchema>;

export const passedAnalysisSchema = z.object({
  /** Null where a script plays the agent: it does what it is told, however well. */
  quality_score: qualityScoreSchema.nullable(),
  metrics: z.object({
    duration_seconds: z.number(),
    iterations_used: z.number(),
    iterations_expected: z.number().nullable(),
    tokens_estimated: z.number().nullable(),
    cost_usd: z.number().nullable(),
    events_emitted: z.number(),
    tool_calls: z.number(),
    retries_needed: z.number(),
    /** Each of these compared with what was expected for this test, lane and backend. */
    against_expected: z.array(metricComparisonSchema),
  }),
  warnings: z.array(
    z.object({
      category: z.enum([
        'SlowExecution',
        'ExcessiveIterations',
        'PromptStruggle',
        'UnexpectedOutput',
        'DeprecationUsed',
        'ResourceIntensive',
      ]),
      message: z.string(),
      evidence: z.string(),
    }),
  ),
  optimizations: z.array(
    z.object({
      category: z.string(),
      description: z.string(),
      potential_improvement: z.string(),
      suggested_change: z.string().nullable(),
    }),
  ),
});
export type PassedAnalysis = z.infer<typeof passedAnalysisSchema>;

export const recommendationSchema = z.object({
  severity: z.enum(['Critical', 'Warning', 'Info']),
  category: z.string(),
  title: z.string(),
  description: z.string(),
  affected_tests: z.array(z.string()),
  suggested_fix: z.string().nullable(),
});
export type Recommendation = z.infer<typeof recommendationSchema>;

/** A claim of an agent that the evidence contradicts. */
export const rationalizationSchema = z.object({
  scenario_id: z.string(),
  backend: z.string(),
  /** The kind of excuse. */
  pattern: z.string(),
  iteration: z.number(),
  quote: z.string(),
  reality: z.string(),
  action: z.string(),
});
export type Rationalization = z.infer<typeof rationalizationSchema>;

/** A way around the instructions that agents used in several scenarios. */
export const loopholeSchema = z.object({
  name: z.string(),
  pattern: z.string(),
  evidence: z.array(z.object({ scenario_id: z.string(), text: z.string() })),
  suggested_counter: z.array(z.string()),
  /** The name of a scenario that would close it. */
  new_test: z.string(),
});
export type Loophole = z.infer<typeof loopholeSchema>;

export interface Excuses {
  readonly rationalizations: readonly Rationalization[];
  readonly loopholes: readonly Loophole[];
}
