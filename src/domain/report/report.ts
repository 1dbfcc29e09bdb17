import * as z from 'zod';
import { aboutSchema, checkCategorySchema } from '../check.js';
import { FORMATS } from '../common/formats.js';
import { heldPromiseSchema } from '../contract.js';
import { traceSchema } from '../diagnosis/trace.js';
import { containmentSchema } from '../evidence/containment.js';
import { isolationSchema } from '../evidence/isolation.js';
import { troubleSchema } from '../fault.js';
import { gradedCriterionSchema } from '../scenario/pressure.js';
import { backendIdSchema, laneSchema, outcomeSchema, phaseSchema, prioritySchema } from '../vocabulary.js';
import {
  diagnosisSchema,
  loopholeSchema,
  passedAnalysisSchema,
  rationalizationSchema,
  recommendationSchema,
} from './analysis.js';
import { analystAnswerSchema } from './analyst.js';
import { causeSchema } from './failure-cause.js';
import { historyEntrySchema } from './history.js';
import { baselineSchema } from './rates/baseline.js';
import { repeatsSchema, repeatTotalsSchema } from './rates/repeats.js';
import { skipCauseSchema } from './skip-cause.js';

const assertionSchema = z.object({
  /** The check's name in the scenario. */
  key: z.string(),
  name: z.string(),
  about: aboutSchema.optional(),
  category: checkCategorySchema,
  passed: z.boolean(),
  expected: z.string(),
  actual: z.string(),
  diff: z.string().nullable(),
  suggestion: z.string().nullable(),
  /** What the target promised and did not do. Empty if the assertion passed. */
  promises: z.array(heldPromiseSchema),
});
export type ReportAssertion = z.infer<typeof assertionSchema>;

const eventSchema = z.object({
  topic: z.string(),
  payload: z.string().nullable(),
  timestamp: z.string(),
  source_hat: z.string().nullable(),
  iteration: z.number().nullable(),
  emitted_by: z.enum(['ralph', 'agent']),
});

const fileSchema = z.object({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted', 'unchanged']),
  content_preview: z.string(),
  size_bytes: z.number(),
});

const contextSchema = z.object({
  config_yaml: z.string(),
  /** What Ralph logged about itself, a line each: the level, the module and the text. */
  ralph_log: z.array(z.string()),
  prompt_content: z.string(),
  command_line: z.string(),
  exit_code: z.number().nullable(),
  exit_signal: z.string().nullable(),
  timed_out: z.boolean(),
  stdout: z.string(),
  stdout_path: z.string(),
  stderr: z.string(),
  stderr_path: z.string(),
  scratchpad_before: z.string().nullable(),
  scratchpad_after: z.string().nullable(),
  /** The first and the last events if there are many. evidence.json has them all. */
  events_emitted: z.array(eventSchema),
  events_left_out: z.number(),
  malformed_lines: z.array(z.object({ file: z.string(), line: z.number(), text: z.string() })),
  iterations_completed: z.number(),
  iterations: z.array(
    z.object({
      number: z.number(),
      hat: z.string().nullable(),
      prompt: z.string().nullable(),
      said: z.string(),
      tool_calls: z.array(z.object({ name: z.string(), input: z.string(), is_error: z.boolean() })),
      duration_seconds: z.number().nullable(),
      /** The place in agent-script.json that answered, such as `response[0].turn[1]`. Null if no script did. */
      answered_by: z.string().nullable(),
    }),
  ),
  termination_reason: z.string().nullable(),
  workspace_files: z.array(fileSchema),
  usage: z
    .object({
      model: z.string().nullable(),
      turns: z.number(),
      input_tokens: z.number(),
      output_tokens: z.number(),
      cost_usd: z.number(),
    })
    .nullable(),
  backend_errors: z.array(z.string()),
  processes_left_behind: z.array(z.string()),
  /** Set if the run was a conversation: its iterations are turns, and its events are what the harness saw in them. */
  conversation: z
    .object({
      planned_turns: z.number(),
      turns: z.array(z.object({ number: z.number(), asked: z.string(), outcome: z.string() })),
      workflow: z.string().nullable(),
      stage: z.string().nullable(),
      plugins: z.array(z.string()),
      plugin_errors: z.array(z.string()),
    })
    .optional(),
  /** Attempts to leave the sandbox that were stopped. Always empty on the host. */
  stopped_by_isolation: z.array(z.string()),
});
export type ReportContext = z.infer<typeof contextSchema>;

const examinationSchema = z.object({
  /** Whether the test failed again. */
  recurred: z.boolean(),
  /** A line each: the level, the module and the text. */
  log: z.array(z.string()),
  artifacts: z.string(),
});

const reportFaultSchema = z.object({
  whose: z.enum(['target', 'agent', 'infrastructure', 'recording']),
  /** The facts that decide it, one sentence each. */
  because: z.array(z.string()),
  /** Set for infrastructure. */
  trouble: troubleSchema.nullable(),
});
export type ReportFault = z.infer<typeof reportFaultSchema>;

const spendingFields = {
  /** Iterations of loops and turns of conversations. */
  calls: z.number(),
  /** With tokens from a cache. Null if no CLI reported any. */
  tokens: z.number().nullable(),
  cost_usd: z.number(),
  /** The part of `cost_usd` that is an estimate, because the CLI reported no cost. */
  estimated_usd: z.number(),
};

const resultSchema = z.object({
  scenario_id: z.string(),
  scenario_description: z.string(),
  /** Changes when the scenario asks or checks something else. */
  scenario_hash: z.string().nullable(),
  backend: backendIdSchema,
  /** The title of the tier, or of the group of tests without one. */
  tier: z.string(),
  /** False if the author gave the test no tier: then `tier` is only a group, and `phase` says nothing. */
  placed: z.boolean(),
  priority: prioritySchema,
  phase: phaseSchema,
  covers: z.array(z.string()),
  outcome: outcomeSchema,
  passed: z.boolean(),
  /** Whose fault a failed test is. Null for other outcomes, and if unknown: then it counts as the target's. */
  fault: reportFaultSchema.nullable(),
  /** True if the test failed through somebody else than the target, so that it says nothing about Ralph. */
  inconclusive: z.boolean(),
  skip_reason: z.string().nullable(),
  /** `skip_reason` as data. Null if the test was not skipped. */
  skip_cause: skipCauseSchema.nullable(),
  /** Set if this target is known to break what the scenario asserts. */
  known_issue: z.object({ up_to: z.string(), reason: z.string(), link: z.string() }).nullable(),
  /** True if that issue no longer occurs: every assertion passed, in every attempt that could show it. */
  known_issue_gone: z.boolean(),
  pressure_factors: z.array(
    z.object({ name: z.string(), description: z.string(), why_pressure: z.string() }),
  ),
  quality_criteria: z.array(gradedCriterionSchema),
  error: z.string().nullable(),
  assertions: z.array(assertionSchema),
  duration_seconds: z.number(),
  /** The part of it that ralph-e2e itself took. It shows how busy the machine was. */
  harness_seconds: z.number().nullable(),
  attempts: z.array(
    z.object({
      attempt: z.number(),
      /** The number of the repeat; null without `--repeat`. */
      repeat: z.number().nullable(),
      outcome: outcomeSchema,
      duration_seconds: z.number(),
      artifacts: z.string(),
      error: z.string().nullable(),
      /** The names of the assertions that failed in this attempt. They show why a flaky test failed at first. */
      failed_assertions: z.array(z.string()),
      /** Whose fault it is if this attempt failed. */
      fault: reportFaultSchema.nullable(),
    }),
  ),
  /** What the repeats of the test show. Null without `--repeat`. */
  repeats: repeatsSchema.nullable(),
  artifacts: z.string().nullable(),
  workspace: z.string().nullable(),
  /** What all attempts cost. Null in the offline lanes. */
  spending: z.object(spendingFields).nullable(),
  /** The command that runs this test again, on the same target and in the same lane. */
  repeat_command: z.string(),
  context: contextSchema.nullable(),
  /** What Ralph logged when this test ran once more with its debug log; null if it did not. */
  examined: examinationSchema.nullable(),
  /** The same test without its plugins, with `--without-plugin`; null without. */
  baseline: baselineSchema.nullable(),
  diagnosis: diagnosisSchema.nullable(),
  /** The iteration in which a test that did not pass first went wrong. */
  trace: traceSchema.nullable(),
  analysis: passedAnalysisSchema.nullable(),
});
export type ReportResult = z.infer<typeof resultSchema>;

const countsSchema = z.object({
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

/** The result of an earlier `prove` of the same catalog: whether a pass of these scenarios can be trusted. */
const reportProofSchema = z.object({
  timestamp: z.string(),
  target: z.object({ kind: z.enum(['real', 'stand-in']), version: z.string() }),
  lane: laneSchema,
  passed: z.boolean(),
  checks: z.number(),
  proved: z.number(),
  saboteurs: z.number(),
  guards: z.number(),
  survivors: z.array(z.string()),
  scenarios: z.array(
    z.object({ scenario_id: z.string(), backend: backendIdSchema, checks: z.number(), proved: z.number() }),
  ),
});
export type ReportProof = z.infer<typeof reportProofSchema>;

/** The schema of report.json. The build makes dist/report.schema.json from it. */
export const reportSchema = z.object({
  format: z.literal(FORMATS.report.format),
  run_id: z.string(),
  timestamp: z.string(),
  duration_seconds: z.number(),
  harness_version: z.string(),
  ralph_version: z.string(),
  target: z.object({
    kind: z.enum(['real', 'stand-in']),
    path: z.string(),
    version: z.string(),
    /** Why the stand-in was used: somebody asked for it, no `ralph` was found, or no scenario needed one. */
    because: z.enum(['asked', 'none-found', 'not-needed']).optional(),
    /** The SHA-256 of a real one: two builds can have the same version. */
    sha256: z.string().optional(),
    /** What RALPH_STANDIN_FAULT broke in the stand-in on purpose. */
    faults: z.array(z.string()).optional(),
  }),
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
  analyst: z
    .object({
      outcome: z.enum(['done', 'failed', 'skipped']),
      /** `script`: a scripted analyst answered, not a model. */
      by: z.enum(['model', 'script']).nullable(),
      backend: z.string().nullable(),
      duration_seconds: z.number(),
      notes: z.array(z.string()),
      answer: analystAnswerSchema.nullable(),
    })
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
      estimate: z.object({
        tests: z.number(),
        calls: z.number(),
        tokens: z.number(),
        usd: z.number(),
        seconds: z.number(),
        /** The tests that earlier runs in this folder had measured. */
        measured: z.number(),
        unpriced_backends: z.array(z.string()),
      }),
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
  proof: reportProofSchema.nullable(),
  quick_fix_commands: z.array(z.object({ description: z.string(), command: z.string() })),
  artifacts: z.array(z.object({ path: z.string(), description: z.string() })),
});
/** The report for programs: snake_case, durations in seconds. */
export type Report = z.infer<typeof reportSchema>;
