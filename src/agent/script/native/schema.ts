import * as z from 'zod';
import { FORMATS } from '../../../domain/common/format-version.js';
import { isMapping, mapping, word } from '../../../domain/common/strict.js';
import { versionFields } from '../../../domain/common/version-fields.js';
import { failureFormSchema, millisecondsSchema, stepSchema, textSchema } from './steps.js';
import { onSchema } from './when.js';

/** The format of script files that people write, as described in docs/agent-script.md. */

const tokens = z.int().nonnegative();

const usage = mapping({ input_tokens: tokens, output_tokens: tokens });
export type UsageForm = z.infer<typeof usage>;

const RESPONSE = {
  say: textSchema.optional(),
  steps: z.array(stepSchema).optional(),
  usage: z
    .union([usage, z.array(usage).min(1)], {
      error: ({ input }) =>
        isMapping(input) ? undefined : 'expected token counts, or a list of them for each answer of the loop',
    })
    .optional(),
  delay_ms: millisecondsSchema.optional(),
  token_delay_ms: millisecondsSchema.optional(),
  stop_reason: z.string().optional(),
  failure: failureFormSchema.optional(),
  fail_times: z.int().positive().optional(),
};
const response = mapping(RESPONSE).refine(...hasContent());
export type ResponseForm = z.infer<typeof response>;

const turn = mapping({ on: onSchema, ...RESPONSE }).refine(...hasContent());

const rule = mapping({
  name: z.string().optional(),
  on: onSchema,
  ...RESPONSE,
  max: z.int().positive().optional(),
  turns: z.array(turn).optional(),
}).refine(...hasContent());
export type RuleForm = z.infer<typeof rule>;

const toolPolicy = mapping({
  approve: z.boolean().optional(),
  result: z.string().optional(),
  error: z.string().optional(),
  answers: z.record(z.string(), z.string()).optional(),
});

const agent = mapping({
  model: z.string().optional(),
  version: z.string().optional(),
  session_id: z.string().optional(),
  permission_mode: word([
    'acceptEdits',
    'auto',
    'bypassPermissions',
    'default',
    'dontAsk',
    'plan',
  ]).optional(),
  logged_in: z.boolean().optional(),
});

// A file without a version has version 1.
const { version, minor } = versionFields(FORMATS.agentScript);
const VERSION = { version: version.optional(), minor };

export const nativeSchema = mapping({
  ...VERSION,
  name: z.string().optional(),
  agent: agent.optional(),
  rules: z.array(rule).optional(),
  default: z
    .union([z.string(), response], {
      error: ({ input }) => (isMapping(input) ? undefined : 'expected a string or a response'),
    })
    .optional(),
  // Every key except `mode` is the CLI's name of a tool.
  tools: z
    .object({ mode: word(['live', 'mock']).optional() })
    .catchall(toolPolicy)
    .optional(),
});
export type NativeScript = z.infer<typeof nativeSchema>;
/** The content of a script file as an object, with the keys of docs/agent-script.md. */
export type ScriptContent = z.input<typeof nativeSchema>;

/** A rule that says and does nothing is usually a mistake; `steps: []` makes it explicit. */
function hasContent(): [(form: Content) => boolean, Parameters<z.ZodType['refine']>[1]] {
  return [
    ({ say, steps, failure }) => say !== undefined || steps !== undefined || failure !== undefined,
    {
      error: 'no answer: expected say, steps or failure (use steps: [] to answer with nothing)',
      // A misspelled key is already reported.
      when: ({ issues }) => issues.length === 0,
    },
  ];
}

interface Content {
  readonly say?: unknown;
  readonly steps?: unknown;
  readonly failure?: unknown;
}
