import * as z from 'zod';
import type {
  AgentScript,
  Condition,
  Failure,
  Pattern,
  Response,
  Rule,
  Step,
  ToolStep,
} from '../../../domain/agent-script.js';
import { mapTexts } from '../../../domain/common/map-texts.js';
import { isMapping, mapping, refuseWord } from '../../../domain/common/strict.js';
import { quoteTemplate } from '../../engine/template.js';
import type { FileReferences } from '../files/file-references.js';
import { nameRule } from '../rule-name.js';

/** What both generations of claudeless files share. */

const count = z.int().nonnegative();

export const usageSchema = mapping({ input_tokens: count, output_tokens: count });

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

export const claudelessFailureSchema = z.discriminatedUnion(
  'type',
  [network_unreachable, ...Object.values(otherFailures)],
  {
    error: ({ code, input }) =>
      code === 'invalid_union' && isMapping(input)
        ? refuseWord(input.type, Object.keys(FAILURES))
        : undefined,
  },
);

/** The agent's identity and screen, with the keys that both generations use. */
export const IDENTITY = {
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
};

const PERMISSION_MODES = {
  default: 'default',
  plan: 'plan',
  'bypass-permissions': 'bypassPermissions',
  'accept-edits': 'acceptEdits',
  'dont-ask': 'dontAsk',
  // Claude Code has removed it.
  delegate: 'default',
} as const;

/** First allowed at the top level, later among the other identity keys. */
export const STANDING = {
  trusted: z.boolean().optional(),
  logged_in: z.boolean().optional(),
  permission_mode: z
    .enum(Object.keys(PERMISSION_MODES), {
      error: ({ input }) => refuseWord(input, Object.keys(PERMISSION_MODES)),
    })
    .optional(),
};

/** Translates a permission mode of claudeless into Claude Code's name for it. */
export function toPermissionMode(mode: string | undefined): string | undefined {
  return mode === undefined
    ? undefined
    : Object.entries(PERMISSION_MODES).find(([name]) => name === mode)?.[1];
}

/** Keys of claudeless that have no effect here, and why. */
const IGNORED: Readonly<Record<string, string>> = {
  username: 'only the claudeless screen shows it',
  user_name: 'only the claudeless screen shows it',
  placeholder: 'only the claudeless screen shows it',
  provider: 'only the claudeless screen shows it',
  show_welcome_back: 'only the claudeless screen shows it',
  welcome_back_right_panel: 'only the claudeless screen shows it',
  trusted: 'only the claudeless screen asks for trust',
  project_path: 'the agent uses the folder in which it is called',
  working_directory: 'the agent uses the folder in which it is called',
  launch_timestamp: 'the agent uses the real time',
  timeouts: 'they apply to the claudeless screen; delay_ms of a response still works',
};

/** Returns one note per key that is accepted but has no effect. */
export function noteIgnored(form: object, above = ''): string[] {
  const notes = Object.keys(form).flatMap((key) =>
    IGNORED[key] === undefined ? [] : [`${above}${key} is ignored: ${IGNORED[key]}`],
  );
  const delegate = 'permission_mode' in form && form.permission_mode === 'delegate';
  return delegate
    ? [...notes, 'permission_mode delegate becomes default: Claude Code has removed it']
    : notes;
}

/** An answer in the terms that both generations share. */
export interface ClaudelessAnswer {
  readonly text?: string | undefined;
  readonly tools?: readonly ClaudelessTool[] | undefined;
  readonly usage?: z.infer<typeof usageSchema> | undefined;
  readonly delayMs?: number | undefined;
  readonly failure?: z.infer<typeof claudelessFailureSchema> | undefined;
}

interface ClaudelessTool {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly result?: string | undefined;
}

/**
 * Converts an answer for the engine. A failure replaces the answer; texts are not templates. claudeless has text and tools
 * in one message and prints the text as the result: so the tools come first, and the text is the last that is said.
 */
export function toResponse(answer: ClaudelessAnswer, files: FileReferences): Response {
  const { text = '', tools = [], usage, delayMs, failure } = answer;
  if (failure !== undefined) return { steps: [], delayMs, failure: toFailure(failure) };
  const said: Step[] = text === '' ? [] : [{ do: 'say', text: quoteTemplate(text) }];
  const used = tools.map((tool, index): Step => {
    const step = toToolStep(tool, files);
    return index === 0 ? step : { ...step, alongside: true };
  });
  return {
    steps: [...used, ...said],
    usage: usage && { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
    delayMs,
  };
}

function toToolStep({ name, input, result }: ClaudelessTool, files: FileReferences): ToolStep {
  const quoted = mapTexts(input, quoteTemplate);
  return {
    do: 'tool',
    name,
    input: files.replaceIn(isMapping(quoted) ? quoted : {}),
    result: result === undefined ? undefined : quoteTemplate(result),
  };
}

function toFailure(failure: z.infer<typeof claudelessFailureSchema>): Failure {
  switch (failure.type) {
    case 'network_unreachable':
      return { type: 'unreachable' };
    case 'connection_timeout':
      return { type: 'timeout', afterMs: failure.after_ms };
    case 'auth_error':
      return { type: 'authentication', message: failure.message };
    case 'rate_limit':
      return { type: 'rate-limit', retryAfterSeconds: failure.retry_after };
    case 'out_of_credits':
      return { type: 'out-of-credits' };
    case 'partial_response':
      return { type: 'truncated', text: failure.partial_text };
    case 'malformed_json':
      return { type: 'malformed', raw: failure.raw };
    default:
      return failure satisfies never;
  }
}

/** Makes a rule and names it; `any` means no condition. */
export function toRule(
  pattern: Pattern,
  respond: Response,
  maxMatches: number | undefined,
  turns: Rule['turns'],
): Rule {
  const when = toCondition(pattern);
  return { name: nameRule(when), when, respond, maxMatches, turns };
}

export function toCondition(pattern: Pattern): Condition {
  return 'any' in pattern ? {} : { prompt: [pattern] };
}

/** A script and the notes from loading it. */
export interface LoadedScript {
  readonly script: AgentScript;
  readonly notes: readonly string[];
}
