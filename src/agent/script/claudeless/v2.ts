import * as z from 'zod';
import type { Pattern } from '../../../domain/agent-script.js';
import { isMapping, mapping, refuseKeys, word } from '../../../domain/common/strict.js';
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

/** The second generation of claudeless files: `responses` with `on`, `say` and `then`. */

const PATTERN_KEYS = ['contains', 'regexp'];
const patternSchema = z.union(
  [z.string(), mapping({ contains: z.string() }), mapping({ regexp: rustRegexSchema })],
  {
    error: ({ input }) => {
      const unknown = isMapping(input) ? Object.keys(input).filter((key) => !PATTERN_KEYS.includes(key)) : [];
      if (unknown.length > 0) return refuseKeys(unknown, PATTERN_KEYS);
      if (isMapping(input) && typeof input.regexp === 'string') return undefined;
      return 'expected a glob or a mapping with one of contains, regexp';
    },
  },
);

const ANSWER = {
  say: z.string().optional(),
  tools: z
    .array(
      mapping({
        call: z.string(),
        input: z.record(z.string(), z.unknown()).optional(),
        result: z.string().optional(),
      }),
    )
    .optional(),
  usage: usageSchema.optional(),
  delay_ms: z.int().nonnegative().optional(),
};
const FAILING = { ...ANSWER, failure: claudelessFailureSchema.optional() };
type AnswerForm = z.infer<ReturnType<typeof mapping<typeof FAILING>>>;

export const claudelessV2Schema = mapping({
  claude: mapping({
    model: z.string().optional(),
    version: z.string().optional(),
    username: z.string().optional(),
    ...IDENTITY,
    ...STANDING,
  }).optional(),
  responses: z
    .array(
      mapping({
        on: patternSchema,
        ...FAILING,
        max: z.int().positive().optional(),
        // biome-ignore lint/suspicious/noThenProperty: claudeless files name this key `then`.
        then: z.array(mapping({ on: patternSchema, ...FAILING })).optional(),
      }),
    )
    .optional(),
  default: mapping(ANSWER).optional(),
  tools: z
    .object({ mode: word(['mock', 'live']).optional() })
    .catchall(
      mapping({
        approve: z.boolean().optional(),
        result: z.string().optional(),
        error: z.string().optional(),
        answers: z.record(z.string(), z.string()).optional(),
      }),
    )
    .optional(),
  // At the top level in 0.3, inside [claude] since 0.4.
  ...STANDING,
});
type ClaudelessV2 = z.infer<typeof claudelessV2Schema>;

/** Compiles a file of the second generation for the engine. */
export function compileClaudelessV2(form: ClaudelessV2, files: FileReferences): LoadedScript {
  const { claude = {}, tools } = form;
  const { mode = 'live', ...policies } = tools ?? {};
  const respond = (answer: AnswerForm) => toResponse(toAnswer(answer), files);
  return {
    notes: [...noteIgnored(form), ...noteIgnored(claude, 'claude.')],
    script: {
      version: 1,
      identity: {
        model: claude.model,
        version: claude.version,
        sessionId: claude.session_id,
        permissionMode: toPermissionMode(claude.permission_mode ?? form.permission_mode),
        loggedIn: claude.logged_in ?? form.logged_in,
      },
      rules: (form.responses ?? []).map((rule) =>
        toRule(
          toPattern(rule.on),
          respond(rule),
          rule.max,
          (rule.then ?? []).map((turn) => ({
            when: toCondition(toPattern(turn.on)),
            respond: respond(turn),
          })),
        ),
      ),
      default: form.default && respond(form.default),
      tools: tools && { mode, policies },
    },
  };
}

function toAnswer({ say, tools, usage, delay_ms: delayMs, failure }: AnswerForm): ClaudelessAnswer {
  return {
    text: say,
    usage,
    delayMs,
    failure,
    tools: tools?.map(({ call, input = {}, result }) => ({ name: call, input, result })),
  };
}

/** A plain string is a glob: `*` matches any prompt; without wildcards it must equal the whole prompt. */
function toPattern(pattern: z.infer<typeof patternSchema>): Pattern {
  if (typeof pattern !== 'string') return 'contains' in pattern ? pattern : fromRustRegex(pattern.regexp);
  if (pattern === '*') return { any: true };
  return /[*?[]/.test(pattern) ? { glob: pattern } : { exact: pattern };
}
