import * as z from 'zod';
import type { Condition, Failure, Response, Step } from '../../../domain/agent-script.js';
import { isMapping } from '../../../domain/common/json-lines.js';
import { mapTexts } from '../../../domain/common/map-texts.js';
import { messageOf } from '../../../domain/common/message-of.js';
import { mapping, refuseWord, word } from '../../../domain/common/strict.js';
import { nameRule } from '../../engine/match.js';
import { quoteTemplate } from '../../engine/template.js';

/** The form of claudeless files, `responses` with `pattern`, `response` and `turns`, and what they mean here. */

const count = z.int().nonnegative();

/**
 * A regular expression. It is written for Rust and read by JavaScript in its Unicode mode, which refuses what it does
 * not know, such as `\A` or `[[:alpha:]]`. Flags in front and `(?P<name>` are translated.
 */
const regexSchema = z.string().transform((source, context) => {
  const [, inFront = '', body = source] = /^\(\?([imsu]+)\)([\s\S]*)$/.exec(source) ?? [];
  const regex = body.replaceAll(/(?<!\\)\(\?P</g, '(?<');
  const flags = [...new Set(`${inFront}u`)].join('');
  // JavaScript would take these as plain characters.
  const operation = /\[[^\]]*(&&|--|~~)/.exec(body)?.[1];
  try {
    if (operation !== undefined)
      throw new Error(`the set operation ${operation} in a class is not supported`);
    new RegExp(regex, flags);
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) });
  }
  return { regex, flags };
});

const only = (pattern: NonNullable<Condition['prompt']>[number]): Condition => ({ prompt: [pattern] });
const PATTERNS = {
  exact: mapping({ type: z.literal('exact'), text: z.string() }).transform(({ text }) =>
    only({ exact: text }),
  ),
  contains: mapping({ type: z.literal('contains'), text: z.string() }).transform(({ text }) =>
    only({ contains: text }),
  ),
  regex: mapping({ type: z.literal('regex'), pattern: regexSchema }).transform(({ pattern }) =>
    only(pattern),
  ),
  glob: mapping({ type: z.literal('glob'), pattern: z.string() }).transform(({ pattern }) =>
    only({ glob: pattern }),
  ),
  any: mapping({ type: z.literal('any') }).transform((): Condition => ({})),
};
const { exact, ...otherPatterns } = PATTERNS;
const patternSchema = z.discriminatedUnion('type', [exact, ...Object.values(otherPatterns)], {
  error: ({ code, input }) =>
    code === 'invalid_union' && isMapping(input) ? refuseWord(input.type, Object.keys(PATTERNS)) : undefined,
});

/** A call of a tool. Texts are not templates. */
const callSchema = mapping({
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  result: z.string().optional(),
}).transform(({ tool, input, result }): Extract<Step, { do: 'tool' }> => {
  const quoted = mapTexts(input, quoteTemplate);
  return {
    do: 'tool',
    name: tool,
    input: isMapping(quoted) ? quoted : {},
    result: result === undefined ? undefined : quoteTemplate(result),
  };
});

/**
 * claudeless has text and tools in one message and prints the text as the result: so the tools come first, all in one
 * answer, and the text is the last that is said.
 */
const responseSchema = z
  .union([
    z.string().transform((text) => ({ text })),
    mapping({
      text: z.string(),
      tool_calls: z.array(callSchema).optional(),
      usage: mapping({ input_tokens: count, output_tokens: count }).optional(),
      delay_ms: count.optional(),
    }),
  ])
  .transform((form): Response => {
    const { text, tool_calls: calls = [], usage, delay_ms: delayMs } = { ...EMPTY, ...form };
    const used = calls.map((step, index): Step => (index === 0 ? step : { ...step, alongside: true }));
    const said: Step[] = text === '' ? [] : [{ do: 'say', text: quoteTemplate(text) }];
    return {
      steps: [...used, ...said],
      usage: usage && { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
      delayMs,
    };
  });
const EMPTY = { tool_calls: undefined, usage: undefined, delay_ms: undefined };

const failureMapping = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  mapping({ type: z.literal(type), ...shape });
const FAILURES = {
  network_unreachable: failureMapping('network_unreachable', {}).transform(
    (): Failure => ({ type: 'unreachable' }),
  ),
  connection_timeout: failureMapping('connection_timeout', { after_ms: count }).transform(
    ({ after_ms }): Failure => ({ type: 'timeout', afterMs: after_ms }),
  ),
  auth_error: failureMapping('auth_error', { message: z.string() }).transform(
    ({ message }): Failure => ({ type: 'authentication', message }),
  ),
  rate_limit: failureMapping('rate_limit', { retry_after: count }).transform(
    ({ retry_after }): Failure => ({ type: 'rate-limit', retryAfterSeconds: retry_after }),
  ),
  out_of_credits: failureMapping('out_of_credits', {}).transform((): Failure => ({ type: 'out-of-credits' })),
  partial_response: failureMapping('partial_response', { partial_text: z.string() }).transform(
    ({ partial_text }): Failure => ({ type: 'truncated', text: partial_text }),
  ),
  malformed_json: failureMapping('malformed_json', { raw: z.string() }).transform(
    ({ raw }): Failure => ({ type: 'malformed', raw }),
  ),
};
const { network_unreachable, ...otherFailures } = FAILURES;
const failureSchema = z.discriminatedUnion('type', [network_unreachable, ...Object.values(otherFailures)], {
  error: ({ code, input }) =>
    code === 'invalid_union' && isMapping(input) ? refuseWord(input.type, Object.keys(FAILURES)) : undefined,
});

/** A failure replaces the answer. */
function answerOrFail(response: Response = { steps: [] }, failure: Failure | undefined): Response {
  return failure === undefined ? response : { steps: [], delayMs: response.delayMs, failure };
}

export const claudelessTurnSchema = mapping({
  expect: patternSchema,
  response: responseSchema,
  failure: failureSchema.optional(),
}).transform((turn) => ({ when: turn.expect, respond: answerOrFail(turn.response, turn.failure) }));

const ruleSchema = mapping({
  pattern: patternSchema,
  response: responseSchema.optional(),
  failure: failureSchema.optional(),
  max_matches: z.int().positive().optional(),
  turns: z.array(claudelessTurnSchema).optional(),
}).transform(({ pattern: when, response, failure, max_matches: maxMatches, turns = [] }) => ({
  name: nameRule(when),
  when,
  respond: answerOrFail(response, failure),
  maxMatches,
  turns,
}));

const PERMISSION_MODES = {
  default: 'default',
  plan: 'plan',
  'bypass-permissions': 'bypassPermissions',
  'accept-edits': 'acceptEdits',
  'dont-ask': 'dontAsk',
  // Claude Code has removed it.
  delegate: 'default',
};

const noEffect = (why: string) => z.unknown().optional().describe(why);
const ONLY_SCREEN = 'only the claudeless screen shows it';
const CALLERS_FOLDER = 'the agent uses the folder in which it is called';
/** Keys that have no effect here, and why. Their values are not looked at. */
const IGNORED = {
  user_name: noEffect(ONLY_SCREEN),
  project_path: noEffect(CALLERS_FOLDER),
  working_directory: noEffect(CALLERS_FOLDER),
  launch_timestamp: noEffect('the agent uses the real time'),
  placeholder: noEffect(ONLY_SCREEN),
  provider: noEffect(ONLY_SCREEN),
  show_welcome_back: noEffect(ONLY_SCREEN),
  welcome_back_right_panel: noEffect(ONLY_SCREEN),
  timeouts: noEffect('they apply to the claudeless screen; delay_ms of a response still works'),
  trusted: noEffect('only the claudeless screen asks for trust'),
};

const FORM = {
  name: z.string().optional(),
  responses: z.array(ruleSchema).optional(),
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
        }).transform(({ auto_approve: approve, ...policy }) => ({ approve, ...policy })),
      )
      .optional(),
  })
    .transform(({ mode = 'live', tools: policies = {} }) => ({ mode, policies }))
    .optional(),
  default_model: z.string().optional(),
  claude_version: z.string().optional(),
  session_id: z
    .guid({ error: () => 'expected a UUID such as 01234567-89ab-4cde-8f01-23456789abcd' })
    .optional(),
  logged_in: z.boolean().optional(),
  permission_mode: word([
    'default',
    'plan',
    'bypass-permissions',
    'accept-edits',
    'dont-ask',
    'delegate',
  ]).optional(),
  ...IGNORED,
};
/** The keys at the top of a claudeless file. */
export const CLAUDELESS_KEYS: ReadonlySet<string> = new Set(Object.keys(FORM));

/** Reads a claudeless file as the script that is played, with a note for each key that has no effect. */
export const claudelessSchema = mapping(FORM).transform((form) => ({
  notes: [
    ...Object.entries(IGNORED).flatMap(([key, { description }]) =>
      key in form ? [`${key} is ignored: ${description}`] : [],
    ),
    ...(form.permission_mode === 'delegate'
      ? ['permission_mode delegate becomes default: Claude Code has removed it']
      : []),
  ],
  script: {
    format: 1,
    name: form.name,
    identity: {
      model: form.default_model,
      version: form.claude_version,
      sessionId: form.session_id,
      permissionMode: form.permission_mode && PERMISSION_MODES[form.permission_mode],
      loggedIn: form.logged_in,
    },
    rules: form.responses ?? [],
    default: form.default_response,
    tools: form.tool_execution,
  },
}));
