import * as z from 'zod';
import { checkResultSchema } from '../check.js';
import { heldPromiseSchema } from '../contract.js';
import { traceSchema } from '../diagnosis/trace.js';
import { faultSchema, troubleSchema } from '../fault.js';
import { gradedCriterionSchema } from '../scenario/pressure.js';
import { backendIdSchema, outcomeSchema, phaseSchema, prioritySchema, testLabel } from '../vocabulary.js';
import { diagnosisSchema, passedAnalysisSchema } from './analysis.js';
import { baselineSchema } from './rates/baseline.js';
import { repeatsSchema } from './rates/repeats.js';
import { skipCauseSchema } from './skip-cause.js';

export const checkSchema = checkResultSchema.omit({ kind: true, judges: true, differences: true }).extend({
  ...{ name: z.string(), expected: z.string(), actual: z.string() },
  /** Empty if the check passed. */
  promises: z.array(heldPromiseSchema),
});
export type ReportCheck = z.infer<typeof checkSchema>;

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

export const contextSchema = z.object({
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

const reportFaultSchema = faultSchema
  .omit({ retryAfterSeconds: true })
  .extend({ trouble: troubleSchema.nullable() });
export type ReportFault = z.infer<typeof reportFaultSchema>;

/** What something cost. */
export const spendingFields = {
  /** Iterations of loops and turns of conversations. */
  calls: z.number(),
  /** With tokens from a cache. Null if no CLI reported any. */
  tokens: z.number().nullable(),
  cost_usd: z.number(),
  /** The part of `cost_usd` that is an estimate, because the CLI reported no cost. */
  estimated_usd: z.number(),
};

/** What report.json says about one test. */
export const resultSchema = z.object({
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
  /** True if that issue no longer occurs: every check passed, in every attempt that could show it. */
  known_issue_gone: z.boolean(),
  /** Set if a known issue of older versions still shows exactly as declared: the last version declared, and this one. */
  known_issue_lasts: z.object({ up_to: z.string(), version: z.string() }).optional(),
  pressure_factors: z.array(
    z.object({ name: z.string(), description: z.string(), why_pressure: z.string() }),
  ),
  quality_criteria: z.array(gradedCriterionSchema),
  error: z.string().nullable(),
  assertions: z.array(checkSchema),
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
      /** The names of the checks that failed in this attempt. They show why a flaky test failed at first. */
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

/** Returns the label of a test: `hooks-run [claude]`. */
export function labelOf({ scenario_id, backend }: Pick<ReportResult, 'scenario_id' | 'backend'>): string {
  return testLabel(scenario_id, backend);
}
