import * as z from 'zod';
import { checkResultSchema } from './check.js';
import { evidenceSchema } from './evidence/evidence.js';
import { knownIssueSchema } from './scenario/known-issue.js';
import { gradedCriterionSchema, pressureFactorSchema } from './scenario/pressure.js';
import { backendIdSchema, phaseSchema, prioritySchema, tierSchema } from './vocabulary.js';

/** What is under test. A stand-in is a test double: a report on it never claims to have validated Ralph. */
export const targetSchema = z.object({
  kind: z.enum(['real', 'stand-in']),
  path: z.string(),
  version: z.string(),
  /** Why the stand-in took part: it was asked for, no ralph was found, or nothing was asked of ralph. */
  because: z.enum(['asked', 'none-found', 'not-needed']).optional(),
});
export type Target = z.infer<typeof targetSchema>;

/** One execution that the run intends: a scenario on a backend. */
export const plannedSchema = z.object({
  scenarioId: z.string(),
  backend: backendIdSchema,
  kind: z.enum(['ralph', 'conversation']),
  tier: tierSchema,
  priority: prioritySchema,
  phase: phaseSchema,
  description: z.string(),
  covers: z.array(z.string()),
  expectedIterations: z.number().nullable(),
  /** Set when the target of this run is known to break what the scenario asserts. */
  knownIssue: knownIssueSchema.nullable().default(null),
  pressure: z.array(pressureFactorSchema).default([]),
  timeoutSeconds: z.number(),
});
export type Planned = z.infer<typeof plannedSchema>;

/** How one attempt at an execution ended. */
export const attemptFinishedSchema = z.object({
  type: z.literal('attempt-finished'),
  at: z.string(),
  scenarioId: z.string(),
  backend: backendIdSchema,
  attempt: z.number(),
  outcome: z.enum(['passed', 'failed', 'error', 'known-issue']),
  /** True when every check passed although the target is known to break some of them. */
  knownIssueGone: z.boolean().optional(),
  durationSeconds: z.number(),
  checks: z.array(checkResultSchema),
  /** How well it passed, by the scenario's own criteria. */
  quality: z.array(gradedCriterionSchema).default([]),
  /** Missing when the harness failed before the target ran; `error` then says why. */
  evidence: evidenceSchema.nullable(),
  error: z.string().nullable(),
  /** The user ended the run while it was going on: it says nothing about the target, and nothing about the harness. */
  interrupted: z.boolean().default(false),
  /** Folder with the whole output and evidence; workspace is null once it is removed. */
  artifacts: z.string(),
  workspace: z.string().nullable(),
});
export type AttemptFinished = z.infer<typeof attemptFinishedSchema>;
