import * as z from 'zod';
import { messageOf } from '../../../domain/common/message-of.js';
import { isMapping, mapping, refuseWord, word } from '../../../domain/common/strict.js';

/** The form of claudeless files: `responses` with `pattern`, `response` and `turns`. */

const count = z.int().nonnegative();

/**
 * Reads a regular expression. It is written for Rust and read by JavaScript in its Unicode mode, which refuses what it
 * does not know, such as `\A` or `[[:alpha:]]`. Flags in front and `(?P<name>` are translated.
 */
export function readRegex(source: string): { readonly regex: string; readonly flags: string } {
  const [, inFront = '', body = source] = /^\(\?([imsu]+)\)([\s\S]*)$/.exec(source) ?? [];
  // JavaScript would take these as plain characters.
  const operation = /\[[^\]]*(&&|--|~~)/.exec(body)?.[1];
  if (operation !== undefined) throw new Error(`the set operation ${operation} in a class is not supported`);
  const regex = body.replaceAll(/(?<!\\)\(\?P</g, '(?<');
  const flags = [...new Set(`${inFront}u`)].join('');
  // Compile it, so that a mistake is reported with the pattern.
  new RegExp(regex, flags);
  return { regex, flags };
}

const regexSchema = z.string().superRefine((source, context) => {
  try {
    readRegex(source);
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) });
  }
});

const PATTERNS = {
  exact: mapping({ type: z.literal('exact'), text: z.string() }),
  contains: mapping({ type: z.literal('contains'), text: z.string() }),
  regex: mapping({ type: z.literal('regex'), pattern: regexSchema }),
  glob: mapping({ type: z.literal('glob'), pattern: z.string() }),
  any: mapping({ type: z.literal('any') }),
};
const { exact, ...otherPatterns } = PATTERNS;
const patternSchema = z.discriminatedUnion('type', [exact, ...Object.values(otherPatterns)], {
  error: ({ code, input }) =>
    code === 'invalid_union' && isMapping(input) ? refuseWord(input.type, Object.keys(PATTERNS)) : undefined,
});
export type ClaudelessPattern = z.infer<typeof patternSchema>;

const toolCall = mapping({
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  result: z.string().optional(),
});
export type ClaudelessCall = z.infer<typeof toolCall>;

const responseSchema = z.union([
  z.string(),
  mapping({
    text: z.string(),
    tool_calls: z.array(toolCall).optional(),
    usage: mapping({ input_tokens: count, output_tokens: count }).optional(),
    delay_ms: count.optional(),
  }),
]);
export type ClaudelessResponse = z.infer<typeof responseSchema>;

const FAILURES = {
  network_unreachable: mapping({ type: z.literal('network_unreachable') }),
  connection_timeout: mapping({ type: z.literal('connection_timeout'), after_ms: count }),
  auth_error: mapping({ type: z.literal('auth_error'), message: z.string() }),
  rate_limit: mapping({ type: z.literal('rate_limit'), retry_after: count }),
  out_of_credits: mapping({ type: z.literal('out_of_credits') }),
  partial_response: mapping({ type: z.literal('partial_response'), partial_text: z.string() }),
  malformed_json: mapping({ type: z.literal('malformed_json'), raw: z.string() }),
};
const { network_unreachable, ...otherFailures } = FAILURES;
const failureSchema = z.discriminatedUnion('type', [network_unreachable, ...Object.values(otherFailures)], {
  error: ({ code, input }) =>
    code === 'invalid_union' && isMapping(input) ? refuseWord(input.type, Object.keys(FAILURES)) : undefined,
});
export type ClaudelessFailure = z.infer<typeof failureSchema>;

const turnSchema = mapping({
  expect: patternSchema,
  response: responseSchema,
  failure: failureSchema.optional(),
});

export const claudelessSchema = mapping({
  name: z.string().optional(),
  responses: z
    .array(
      mapping({
        pattern: patternSchema,
        response: responseSchema.optional(),
        failure: failureSchema.optional(),
        max_matches: z.int().positive().optional(),
        turns: z.array(turnSchema).optional(),
      }),
    )
    .optional(),
  default_response: responseSchema.optional(),
  tool_execution: mapping({
    mode: word(['mock', 'live']).optional(),
    tools: z
      .record(
        z.string(),
        mapping({
          auto_approve: z.boolean().optional(),
          result: z.string().optional(),
          error: z.string().optional(),
          answers: z.record(z.string(), z.string()).optional(),
        }),
      )
      .optional(),
  }).optional(),
  default_model: z.string().optional(),
  claude_version: z.string().optional(),
  user_name: z.string().optional(),
  session_id: z
    .guid({ error: () => 'expected a UUID such as 01234567-89ab-4cde-8f01-23456789abcd' })
    .optional(),
  project_path: z.string().optional(),
  working_directory: z.string().optional(),
  launch_timestamp: z.iso
    .datetime({ offset: true, error: () => 'expected a time such as "2026-01-31T09:00:00Z"' })
    .optional(),
  placeholder: z.string().optional(),
  provider: z.string().optional(),
  show_welcome_back: z.boolean().optional(),
  welcome_back_right_panel: z.array(z.string()).optional(),
  timeouts: mapping({
    exit_hint_ms: count.optional(),
    compact_delay_ms: count.optional(),
    hook_timeout_ms: count.optional(),
    mcp_timeout_ms: count.optional(),
    response_delay_ms: count.optional(),
  }).optional(),
  trusted: z.boolean().optional(),
  logged_in: z.boolean().optional(),
  permission_mode: word([
    'default',
    'plan',
    'bypass-permissions',
    'accept-edits',
    'dont-ask',
    'delegate',
  ]).optional(),
});
export type ClaudelessForm = z.infer<typeof claudelessSchema>;

/** The oldest files: `conversations` next to `responses`. */
export const oldestSchema = z.looseObject({
  conversations: z.record(z.string(), mapping({ turns: z.array(turnSchema) })),
  responses: z.array(z.unknown()).optional(),
  tool_execution: z.looseObject({ mode: z.string().optional() }).optional(),
});
