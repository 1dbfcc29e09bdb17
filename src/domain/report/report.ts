import * as z from 'zod';
import { targetSchema } from '../attempt.js';
import { FORMATS } from '../common/formats.js';
import { containmentSchema } from '../evidence/containment.js';
import { isolationSchema } from '../evidence/isolation.js';
import { estimateSchema } from '../money/spending.js';
import { proofSummarySchema } from '../proof/summary.js';
import { backendIdSchema, laneSchema } from '../vocabulary.js';
import { loopholeSchema, rationalizationSchema, recommendationSchema } from './analysis.js';
import { analysisRecordSchema } from './analyst.js';
import { causeSchema } from './failure-cause.js';
import { historyEntrySchema } from './history.js';
import { repeatTotalsSchema } from './rates/repeats.js';
import { resultSchema, spendingFields } from './result.js';

export const countsSchema = z.object({
  total: z.number(),
  passed: z.number(),
  /** Includes the inconclusive ones. */
  failed: z.number(),
  /** The part of `failed` that says nothing about the target. */
  inconclusive: z.number(),
  skipped: z.number(),
  errors: z.number(),
  flaky: z.number(),
  known_issues: z.number(),
});
export type Counts = z.infer<typeof countsSchema>;

/** The schema of report.json. The build makes dist/report.schema.json from it. */
export const reportSchema = z.object({
  format: z.literal(FORMATS.report.format),
  run_id: z.string(),
  timestamp: z.string(),
  duration_seconds: z.number(),
  harness_version: z.string(),
  ralph_version: z.string(),
  target: targetSchema,
  lane: laneSchema,
  passed: z.boolean(),
  verdict: z.string(),
  /** Why the run as a whole has no verdict, whatever its tests show. */
  run_errors: z.array(z.string()),
  interrupted: z.boolean(),
  /** Set if the run was interrupted or killed and went on later. */
  resumed: z
    .object({
      times: z.number(),
      /** How many tests kept the result that they had when the run went on the last time. */
      taken_over: z.number(),
    })
    .nullable(),
  /** Set if this is a replay or a regrade of another run. */
  origin: z
    .object({
      kind: z.enum(['replay', 'regrade']),
      run_id: z.string(),
      lane: laneSchema,
      ralph_version: z.string(),
      ralph_sha256: z.string().nullable(),
      /** The tests whose scenario asks or checks something else since. */
      changed_scenarios: z.array(z.string()),
      tests: z.array(
        z.object({
          test: z.string(),
          /** How it ended then; null if the recording came without its run. */
          before: z.enum(['passed', 'failed', 'error', 'known-issue']).nullable(),
          /** `diverged`: Ralph did not send what the recorded agent answered. It says nothing about the test. */
          now: z.enum(['passed', 'failed', 'error', 'known-issue', 'diverged', 'inconclusive', 'skipped']),
          /** Where it diverged, or why it cannot be replayed. */
          because: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  /** The part of the tests that this run is, with `--shard`. */
  shard: z
    .object({
      index: z.number(),
      total: z.number(),
      tests: z.number(),
      /** The tests of all shards. */
      all_tests: z.number(),
    })
    .nullable(),
  /** The shards that `merge-reports` made this run from. */
  shards: z
    .array(
      z.object({
        index: z.number(),
        run_id: z.string(),
        timestamp: z.string(),
        tests: z.number(),
        duration_seconds: z.number(),
        interrupted: z.boolean(),
        resumed: z.number(),
      }),
    )
    .nullable(),
  /** The command that goes on with a run that was interrupted; null if there is none. */
  resume_command: z.string().nullable(),
  backends_tested: z.array(
    z.object({
      backend: backendIdSchema,
      version: z.string().nullable(),
      available: z.boolean(),
      authenticated: z.boolean().nullable(),
      authentication_source: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** The backends that the user named. Empty if the default ones were used. */
  backends_named: z.array(backendIdSchema),
  /** The named backends on which nothing ran. The run then does not pass. */
  backends_untested: z.array(z.object({ backend: backendIdSchema, reason: z.string() })),
  environment: z.object({
    os: z.string(),
    node: z.string(),
    ralph_binary: z.string(),
    workspace: z.string(),
    /** The folder in which ralph-e2e was started. Commands in reports work there. */
    started_in: z.string(),
    env_vars: z.record(z.string(), z.boolean()),
    inherited: z.array(z.string()),
    isolation: isolationSchema,
    /** What kept the processes of an attempt together. Null in a sandbox, which has its own processes. */
    containment: containmentSchema.nullable(),
  }),
  /** `total` counts the tests that ran: passed, failed, errors, flaky and known issues. Skipped tests are not included. */
  summary: countsSchema.extend({
    quality_breakdown: z.object({
      optimal: z.number(),
      good: z.number(),
      acceptable: z.number(),
      suboptimal: z.number(),
    }),
    by_tier: z.record(z.string(), countsSchema),
    by_backend: z.record(z.string(), countsSchema),
  }),
  /** The analysis by Ralph itself, as the analyst. Null if nobody asked for it. */
  analyst: analysisRecordSchema
    .omit({ durationSeconds: true, spending: true })
    .extend({ duration_seconds: z.number() })
    .nullable(),
  /** What the run cost, the analysis included. Null in the offline lanes. */
  spending: z
    .object({
      ...spendingFields,
      analysis_usd: z.number(),
      /** From `--max-cost`. */
      max_usd: z.number().nullable(),
      /** The tests that did not run because of `max_usd`. The run then does not pass. */
      not_run: z.number(),
      /** What the run was expected to take before it started. */
      estimate: estimateSchema.omit({ unpriced: true }).extend({ unpriced_backends: z.array(z.string()) }),
    })
    .nullable(),
  /** The repeats of all tests. Null without `--repeat`. */
  repeat: repeatTotalsSchema.nullable(),
  /** Why tests failed: one entry for each cause. */
  causes: z.array(causeSchema),
  results: z.array(resultSchema),
  /** The workspaces in the folder at the end of the run, of this run and of earlier ones. */
  kept_workspaces: z.object({ own: z.array(z.string()), earlier: z.array(z.string()) }),
  /** Runs in the same lane on the same kind of target, oldest first. This run is the last. */
  history: z.array(historyEntrySchema),
  recommendations: z.array(recommendationSchema),
  rationalizations: z.array(rationalizationSchema),
  loopholes: z.array(loopholeSchema),
  proof: proofSummarySchema.nullable(),
  quick_fix_commands: z.array(z.object({ description: z.string(), command: z.string() })),
  artifacts: z.array(z.object({ path: z.string(), description: z.string() })),
});
/** The report for programs: snake_case, durations in seconds. */
export type Report = z.infer<typeof reportSchema>;
