import type { Failure, Pattern, Response, Step } from '../../../domain/agent-script.js';
import { mapTexts } from '../../../domain/common/map-texts.js';
import { isMapping } from '../../../domain/common/strict.js';
import { nameRule } from '../../engine/match.js';
import { quoteTemplate } from '../../engine/template.js';
import type { LoadedScript } from '../compiled-script.js';
import {
  type ClaudelessCall,
  type ClaudelessFailure,
  type ClaudelessForm,
  type ClaudelessPattern,
  type ClaudelessResponse,
  readRegex,
} from './schema.js';

/** Compiles a claudeless file for the engine. */
export function compileClaudeless(form: ClaudelessForm): LoadedScript {
  const { tool_execution: tools, permission_mode: mode } = form;
  return {
    notes: noteIgnored(form),
    script: {
      version: 1,
      name: form.name,
      identity: {
        model: form.default_model,
        version: form.claude_version,
        sessionId: form.session_id,
        permissionMode: mode && PERMISSION_MODES[mode],
        loggedIn: form.logged_in,
      },
      rules: (form.responses ?? []).map(({ pattern, response, failure, max_matches, turns = [] }) => {
        const when = toCondition(pattern);
        return {
          name: nameRule(when),
          when,
          respond: toResponse(response, failure),
          maxMatches: max_matches,
          turns: turns.map((turn) => ({
            when: toCondition(turn.expect),
            respond: toResponse(turn.response, turn.failure),
          })),
        };
      }),
      default: form.default_response === undefined ? undefined : toResponse(form.default_response),
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

const PERMISSION_MODES: Readonly<Record<NonNullable<ClaudelessForm['permission_mode']>, string>> = {
  default: 'default',
  plan: 'plan',
  'bypass-permissions': 'bypassPermissions',
  'accept-edits': 'acceptEdits',
  'dont-ask': 'dontAsk',
  // Claude Code has removed it.
  delegate: 'default',
};

/** Keys that have no effect here, and why. */
const IGNORED: Readonly<Record<string, string>> = {
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
function noteIgnored(form: ClaudelessForm): string[] {
  const notes = Object.keys(form).flatMap((key) =>
    IGNORED[key] === undefined ? [] : [`${key} is ignored: ${IGNORED[key]}`],
  );
  return form.permission_mode === 'delegate'
    ? [...notes, 'permission_mode delegate becomes default: Claude Code has removed it']
    : notes;
}

/** `any` means no condition. */
function toCondition(pattern: ClaudelessPattern): { readonly prompt?: Pattern[] } {
  switch (pattern.type) {
    case 'exact':
      return { prompt: [{ exact: pattern.text }] };
    case 'contains':
      return { prompt: [{ contains: pattern.text }] };
    case 'regex':
      return { prompt: [readRegex(pattern.pattern)] };
    case 'glob':
      return { prompt: [{ glob: pattern.pattern }] };
    case 'any':
      return {};
    default:
      return pattern satisfies never;
  }
}

/**
 * Converts an answer for the engine. A failure replaces the answer; texts are not templates. claudeless has text and tools
 * in one message and prints the text as the result: so the tools come first, and the text is the last that is said.
 */
function toResponse(response: ClaudelessResponse = '', failure?: ClaudelessFailure): Response {
  const {
    text,
    tool_calls: calls = [],
    usage,
    delay_ms: delayMs,
  } = typeof response === 'string' ? { text: response } : response;
  if (failure !== undefined) return { steps: [], delayMs, failure: toFailure(failure) };
  const said: Step[] = text === '' ? [] : [{ do: 'say', text: quoteTemplate(text) }];
  return {
    steps: [...calls.map((call, index) => toStep(call, index > 0)), ...said],
    usage: usage && { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
    delayMs,
  };
}

function toStep({ tool, input, result }: ClaudelessCall, isNext: boolean): Step {
  const quoted = mapTexts(input, quoteTemplate);
  return {
    do: 'tool',
    name: tool,
    input: isMapping(quoted) ? quoted : {},
    result: result === undefined ? undefined : quoteTemplate(result),
    ...(isNext ? { alongside: true } : {}),
  };
}

function toFailure(failure: ClaudelessFailure): Failure {
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
