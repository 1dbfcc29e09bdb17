import * as z from 'zod';
import type { Pattern } from '../../../domain/agent-script.js';
import { isMapping, mapping, refuseWord, word } from '../../../domain/common/strict.js';
import type { FileReferences } from '../files/file-references.js';
import {
  type ClaudelessAnswer,
  claudelessFailureSchema,
  IDENTITY,
  type LoadedScript,
  noteIgnored,
  STANDING,
  toCondition,
  toPermissionMode,
  toResponse,
  toRule,
  usageSchema,
} from './parts.js';
import { fromRustRegex, rustRegexSchema } from './rust-regex.js';

/** The first generation of claudeless files: `responses` with `pattern`, `response` and `turns`. */

const PATTERNS = {
  exact: mapping({ type: z.literal('exact'), text: z.string() }),
  contains: mapping({ type: z.literal('contains'), text: z.string() }),
  regex: mapping({ type: z.literal('regex'), pattern: rustRegexSchema }),
  glob: mapping({ type: z.literal('glob'), pattern: z.string() }),
  any: mapping({ type: z.literal('any') }),
};
const { exact, ...otherPatterns } = PATTERNS;
const patternSchema = z.discriminatedUnion('type', [exact, ...Object.values(otherPatterns)], {
  error: ({ code, input }) =>
    code === 'invalid_union' && isMapping(input) ? refuseWord(input.type, Object.keys(PATTERNS)) : undefined,
});

const responseSchema = z.union([
  z.string(),
  mapping({
    text: z.string(),
    tool_calls: z
      .array(
        mapping({
          tool: z.string(),
          input: z.record(z.string(), z.unknown()),
          result: z.string().optional(),
        }),
      )
      .optional(),
    usage: usageSchema.optional(),
    delay_ms: z.int().nonnegative().optional(),
  }),
]);
type ResponseForm = z.infer<typeof responseSchema>;

export const claudelessTurnSchema = mapping({
  expect: patternSchema,
  response: responseSchema,
  failure: claudelessFailureSchema.optional(),
});

export const claudelessV1Schema = mapping({
  name: z.string().optional(),
  responses: z
    .array(
      mapping({
        pattern: patternSchema,
        response: responseSchema.optional(),
        failure: claudelessFailureSchema.optional(),
        max_matches: z.int().positive().optional(),
        turns: z.array(claudelessTurnSchema).optional(),
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
  ...IDENTITY,
  ...STANDING,
});
export type ClaudelessV1 = z.infer<typeof claudelessV1Schema>;

/** Compiles a file of the first generation for the engine. */
export function compileClaudelessV1(form: ClaudelessV1, files: FileReferences): LoadedScript {
  const respond = (response: ResponseForm | undefined, failure?: ClaudelessAnswer['failure']) =>
    toResponse({ ...toAnswer(response), failure }, files);
  const { tool_execution: tools } = form;
  return {
    notes: noteIgnored(form),
    script: {
      version: 1,
      name: form.name,
      identity: {
        model: form.default_model,
        version: form.claude_version,
        sessionId: form.session_id,
        permissionMode: toPermissionMode(form.permission_mode),
        loggedIn: form.logged_in,
      },
      rules: (form.responses ?? []).map(({ pattern, response, failure, max_matches, turns = [] }) =>
        toRule(
          toPattern(pattern),
          respond(response, failure),
          max_matches,
          turns.map((turn) => ({
            when: toCondition(toPattern(turn.expect)),
            respond: respond(turn.response, turn.failure),
          })),
        ),
      ),
      default: form.default_response === undefined ? undefined : respond(form.default_response),
      tools: tools && {
        mode: tools.mode ?? 'live',
        policies: Object.fromEntries(
          Object.entries(tools.tools ?? {}).map(([name, { auto_approve: approve, ...policy }]) => [
            name,
            { approve, ...policy },
          ]),
        ),
      },
    },
  };
}

function toAnswer(response: ResponseForm | undefined): ClaudelessAnswer {
  if (response === undefined || typeof response === 'string') return { text: response };
  const { text, tool_calls: calls, usage, delay_ms: delayMs } = response;
  return { text, usage, delayMs, tools: calls?.map(({ tool, ...call }) => ({ name: tool, ...call })) };
}

function toPattern(pattern: z.infer<typeof patternSchema>): Pattern {
  switch (pattern.type) {
    case 'exact':
      return { exact: pattern.text };
    case 'contains':
      return { contains: pattern.text };
    case 'regex':
      return fromRustRegex(pattern.pattern);
    case 'glob':
      return { glob: pattern.pattern };
    case 'any':
      return { any: true };
    default:
      return pattern satisfies never;
  }
}
