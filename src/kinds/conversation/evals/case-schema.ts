import * as z from 'zod';
import { messageOf } from '../../../domain/common/message-of.js';

/** The cases of `claude plugin eval`, as Claude Code 2.1.325 reads them. */

const weight = z.number().positive().default(1);
const arm = z.enum(['with-only', 'both']).optional();
const named = { name: z.string(), weight, arm };

const targetSchema = z.union([
  z.enum(['trace', 'last_message', 'files', 'mock_calls']),
  z.strictObject({ source: z.literal('file'), path: z.string() }),
]);
export type EvalTarget = z.infer<typeof targetSchema>;

/** A regular expression. Claude Code notices a bad one after the run, which is then paid for. */
const patternSchema = z.string().superRefine((pattern, { addIssue }) => {
  const problem = findPatternProblem(pattern, '');
  if (problem !== null) addIssue(problem);
});

const callSchema = z.union([
  z.string().transform((tool): WantedEvalCall => ({ tool })),
  z.strictObject({ tool: z.string(), input_match: patternSchema.optional() }),
]);
/** A call of a tool by its exact name, and a pattern for its input as JSON. */
export interface WantedEvalCall {
  readonly tool: string;
  readonly input_match?: string | undefined;
}

const graderSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      ...named,
      type: z.literal('regex'),
      target: targetSchema.default('last_message'),
      pattern: z.string(),
      flags: z.string().default(''),
      match: z
        .union([z.enum(['contains', 'not_contains']), z.string().regex(/^count:\d+$/)])
        .default('contains'),
    })
    .superRefine(({ pattern, flags }, { addIssue }) => {
      const problem = findPatternProblem(pattern, flags);
      if (problem !== null) addIssue({ code: 'custom', message: problem, path: ['pattern'] });
    }),
  z.strictObject({ ...named, type: z.literal('tool_order'), before: callSchema, after: callSchema }),
  z.strictObject({
    ...named,
    type: z.literal('tool_used'),
    tool: z.string(),
    input_match: patternSchema.optional(),
    min: z.number().int().nonnegative().optional(),
    max: z.number().int().nonnegative().optional(),
  }),
  z.strictObject({
    ...named,
    type: z.literal('file_exists'),
    path: z.string(),
    exists: z.boolean().default(true),
  }),
  z.strictObject({
    ...named,
    type: z.literal('llm'),
    criteria: z.string(),
    focus: targetSchema.default('last_message'),
  }),
  z.strictObject({
    ...named,
    type: z.literal('baseline'),
    baseline_file: z.string(),
    criteria: z.string(),
  }),
]);
export type EvalGrader = z.infer<typeof graderSchema>;

function findPatternProblem(pattern: string, flags: string): string | null {
  try {
    new RegExp(pattern, flags);
    return null;
  } catch (cause) {
    return `expected a regular expression, found: ${messageOf(cause)}`;
  }
}

/** A whole case: case.yaml, prompt.md and graders/*.md put together. */
export const evalCaseSchema = z.object({
  schema_version: z.string().regex(/^1(?:\.|$)/, 'expected version 1.x'),
  name: z.string().min(1),
  description: z.string().optional(),
  tags: z.array(z.string()).default([]),
  plugins: z.array(z.string()).optional(),
  context: z
    .object({
      scaffold_script: z.string().optional(),
      history_file: z.string().optional(),
      add_dirs: z.array(z.string()).default([]),
    })
    .default({ add_dirs: [] }),
  execution: z.object({
    prompt: z.string().trim().min(1),
    max_turns: z.number().int().positive().max(200).default(10),
    timeout_seconds: z.number().int().positive().max(3600).default(300),
    model: z.string().optional(),
    allowed_tools: z.array(z.string()).default([]),
    disallowed_tools: z.array(z.string()).default([]),
    artifact_publish: z.boolean().optional(),
    growthbook_overrides: z.record(z.string(), z.unknown()).optional(),
    append_system_prompt: z.string().optional(),
    env: z.record(z.string(), z.string()).default({}),
  }),
  runs: z.number().int().positive().max(50).default(3),
  graders: z.array(graderSchema).min(1),
  expected_outcome: z.string().optional(),
});
export type EvalCase = z.infer<typeof evalCaseSchema>;

/** The fields that the head of a prompt.md may have: some belong to the case, the others to its execution. */
export const PROMPT_FIELDS = {
  case: new Set(['schema_version', 'name', 'description', 'tags', 'plugins', 'runs', 'expected_outcome']),
  execution: new Set([
    ...['model', 'max_turns', 'timeout_seconds', 'allowed_tools', 'disallowed_tools', 'artifact_publish'],
    ...['growthbook_overrides', 'append_system_prompt', 'env'],
  ]),
} as const;
