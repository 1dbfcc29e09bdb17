import * as z from 'zod';
import { checkResultSchema } from './check.js';
import { evidenceSchema } from './evidence/evidence.js';
import { faultSchema } from './fault.js';
import { spendingSchema } from './money/spending.js';
import { knownIssueSchema, lastingIssueSchema } from './scenario/known-issue.js';
import { gradedCriterionSchema, pressureFactorSchema } from './scenario/pressure.js';
import { backendIdSchema, phaseSchema, prioritySchema, testFields, tierSchema } from './vocabulary.js';

/** What is under test. A stand-in is a test double: no report on it claims to have validated Ralph. */
export const targetSchema = z.object({
  kind: z.enum(['real', 'stand-in']),
  path: z.string(),
  version: z.string(),
  /** Why the stand-in was used: somebody asked for it, no `ralph` was found, or no scenario needed one. */
  because: z.enum(['asked', 'none-found', 'not-needed']).optional(),
  /** The SHA-256 of a real one. Two builds can have the same version. */
  sha256: z.string().optional(),
  /** What RALPH_STANDIN_FAULT breaks in the stand-in. */
  faults: z
    .array(z.string().regex(/^[a-z-]+$/))
    .min(1)
    .optional(),
});
export type Target = z.infer<typeof targetSchema>;

/** Whether a run has to do with Ralph. Conversations need none: their target is the agent CLI with its plugins. */
export function involvesRalph({ because }: Pick<Target, 'because'>): boolean {
  return because !== 'not-needed';
}

/** Describes a target so that two different ones read differently. */
export function identifyTarget({ kind, version, sha256, faults }: Target): string {
  const name = kind === 'real' ? `ralph ${version}` : `the stand-in ${version}`;
  const broken = faults === undefined ? name : `${name} with ${faults.join()}`;
  return sha256 === undefined ? broken : `${broken} (SHA-256 ${sha256.slice(0, 16)})`;
}

/** The beginning of a hash, which tells two builds apart for people. */
export function shortHash(sha256 = ''): string {
  return sha256.slice(0, 8);
}

/** One planned execution: a scenario on a backend. */
export const plannedSchema = z.object({
  ...testFields,
  kind: z.enum(['ralph', 'conversation']),
  tier: tierSchema,
  /** False if the author gave the test no tier and no phase. */
  placed: z.boolean(),
  priority: prioritySchema,
  phase: phaseSchema,
  description: z.string(),
  covers: z.array(z.string()),
  /** The areas of Ralph's contract that the scenario is about, the most frequent first. */
  areas: z.array(z.string()),
  expectedIterations: z.number().nullable(),
  /** Set if the target of this run is known to break what the scenario asserts. */
  knownIssue: knownIssueSchema.nullable(),
  pressure: z.array(pressureFactorSchema),
  timeoutSeconds: z.number(),
  /** Changes when the scenario asks or checks something else. Missing if its code throws. */
  hash: z.string().optional(),
});
export type Planned = z.infer<typeof plannedSchema>;

const numberSchema = z.number().int().min(0).max(9999);

/**
 * The random values of an attempt. With them, a scenario arranges and expects the same again. They go into commands and
 * configurations, and a recording may come from somebody else, so only what ralph-e2e draws is accepted.
 */
export const drawnSchema = z.object({
  nonce: z.string().regex(/^[a-z0-9]{1,40}$/),
  numbers: z.tuple([numberSchema, numberSchema, numberSchema]).readonly(),
  second: backendIdSchema,
});

/** How one attempt at an execution ended. */
export const attemptFinishedSchema = z.object({
  type: z.literal('attempt-finished'),
  at: z.string(),
  ...testFields,
  attempt: z.number(),
  /** The number of the repeat in a run with `--repeat`. */
  repeat: z.number().optional(),
  outcome: z.enum(['passed', 'failed', 'error', 'known-issue']),
  /** Whose fault it is, if checks failed. */
  fault: faultSchema.optional(),
  /** Set if the test runs again after this pause. */
  retryInSeconds: z.number().optional(),
  /** True if every check passed although the target is known to break some of them. */
  knownIssueGone: z.boolean().optional(),
  /** Set if the target shows a known issue of older versions exactly as declared. It is a failure all the same. */
  knownIssueLasts: lastingIssueSchema.optional(),
  durationSeconds: z.number(),
  checks: z.array(checkResultSchema),
  /** How well it passed, by the scenario's own criteria. */
  quality: z.array(gradedCriterionSchema),
  /** Null if the harness failed before the target had run. `error` says why it failed, then or later. */
  evidence: evidenceSchema.nullable(),
  error: z.string().nullable(),
  /** True if the user ended the run during the attempt. It then says nothing about the target or the harness. */
  interrupted: z.boolean(),
  /** The random values of the attempt. */
  drawn: drawnSchema.optional(),
  /** The SHA-256 of the recording of a live attempt. */
  recordingSha256: z.string().optional(),
  /** Why a live attempt has no recording. */
  notRecorded: z.string().optional(),
  /** What the attempt cost, in the live lane. */
  spending: spendingSchema.optional(),
  /** The folder with the whole output and the evidence. */
  artifacts: z.string(),
  /** Null once the workspace is removed. */
  workspace: z.string().nullable(),
});
export type AttemptFinished = z.infer<typeof attemptFinishedSchema>;

/** Whether the service behind the agent CLI made the attempt fail. */
export function isTroubled({ outcome, fault }: Pick<AttemptFinished, 'outcome' | 'fault'>): boolean {
  return outcome === 'failed' && fault?.whose === 'infrastructure';
}

/** Whether the attempt failed through somebody else than the target. Without a recorded fault it is the target's. */
export function isInconclusive({ outcome, fault }: Pick<AttemptFinished, 'outcome' | 'fault'>): boolean {
  return outcome === 'failed' && fault !== undefined && fault.whose !== 'target';
}
