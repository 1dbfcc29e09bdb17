import * as z from 'zod';
import type { AgentScript, Response } from '../../../domain/agent-script.js';
import { FORMATS } from '../../../domain/common/formats.js';
import { isMapping } from '../../../domain/common/json-lines.js';
import { mapping, word } from '../../../domain/common/strict.js';
import { nameRule } from '../../engine/match.js';
import {
  failureFormSchema,
  millisecondsSchema,
  stepSchema,
  textSchema,
  toFileKeys,
  toModelKeys,
  writeFailure,
  writeSteps,
} from './steps.js';
import { onSchema, writeOn } from './when.js';

/** The format of script files that people write, as described in docs/agent-script.md. */

const tokens = z.int().nonnegative();

const usage = mapping({ input_tokens: tokens, output_tokens: tokens }).transform(toModelKeys);

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
const responseForm = mapping(RESPONSE).refine(...hasContent());
const response = responseForm.transform(readResponse);

function readResponse({ say, steps = [], usage, ...rest }: z.infer<typeof responseForm>) {
  const usages = [usage ?? []].flat();
  return {
    steps: [say === undefined ? [] : { do: 'say', text: say }, ...steps].flat(),
    usage: usages.at(-1),
    usages: Array.isArray(usage) ? usages : undefined,
    ...toModelKeys(rest),
  };
}

const turn = mapping({ on: onSchema, ...RESPONSE })
  .refine(...hasContent())
  .transform(({ on, ...answer }) => ({ when: on, respond: readResponse(answer) }));

const rule = mapping({
  name: z.string().optional(),
  on: onSchema,
  ...RESPONSE,
  max: z.int().positive().optional(),
  turns: z.array(turn).optional(),
})
  .refine(...hasContent())
  .transform(({ name, on, max, turns = [], ...answer }) => ({
    name: name ?? nameRule(on),
    when: on,
    respond: readResponse(answer),
    maxMatches: max,
    turns,
  }));

const toolPolicy = mapping({
  approve: z.boolean().optional(),
  result: z.string().optional(),
  error: z.string().optional(),
  answers: z.record(z.string(), z.string()).optional(),
});

const toolsMode = word(['live', 'mock']);

/** Every key except `mode` is the CLI's name of a tool. A type can't say that, so it says what each key may have. */
const tools: z.ZodType<
  { mode: z.infer<typeof toolsMode>; policies: Record<string, z.infer<typeof toolPolicy>> },
  Record<string, z.input<typeof toolsMode> | z.input<typeof toolPolicy> | undefined>
> = z
  .object({ mode: toolsMode.optional() })
  .catchall(toolPolicy)
  .transform(({ mode = 'live', ...policies }) => ({ mode, policies }));

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

const FORM = {
  // What people write without one has the only format.
  format: z.literal(FORMATS.agentScript.format).optional(),
  name: z.string().optional(),
  agent: agent.optional(),
  rules: z.array(rule).optional(),
  default: z
    .union([z.string().transform((say) => readResponse({ say })), response], {
      error: ({ input }) => (isMapping(input) ? undefined : 'expected a string or a response'),
    })
    .optional(),
  tools: tools.optional(),
};
/** The keys at the top of a file. */
export const NATIVE_KEYS: ReadonlySet<string> = new Set(Object.keys(FORM));

/**
 * Reads a file as the script that is played. References to files are left in it, and absent keys may be undefined:
 * what uses it parses it once more.
 */
export const nativeSchema = mapping(FORM).transform(
  ({ name, agent: identity, rules = [], default: fallback, tools }) => ({
    format: 1,
    name,
    identity: identity && toModelKeys(identity),
    rules,
    default: fallback,
    tools,
  }),
);
/** The content of a script file as an object, with the keys of docs/agent-script.md. */
export type ScriptContent = z.input<typeof nativeSchema>;

/** Writes a script in the form of a file; reading it back yields the same script. */
export function toNativeForm({ name, identity, rules, default: fallback, tools }: AgentScript): object {
  const answer = fallback && writeResponse(fallback);
  const isShort = answer !== undefined && Object.keys(answer).join() === 'say';
  return {
    name,
    agent: identity && toFileKeys(identity),
    tools: tools && { mode: tools.mode, ...tools.policies },
    rules: rules.map(({ when, respond, maxMatches, turns, ...rest }) => ({
      name: rest.name === nameRule(when) ? undefined : rest.name,
      on: writeOn(when),
      ...writeResponse(respond),
      max: maxMatches,
      turns:
        turns.length === 0
          ? undefined
          : turns.map((turn) => ({ on: writeOn(turn.when), ...writeResponse(turn.respond) })),
    })),
    default: isShort ? answer.say : answer,
  };
}

function writeResponse({ steps, usage, usages, failure, ...rest }: Response): Record<string, unknown> {
  const [first, ...others] = steps;
  const isSilent = steps.length === 0 && failure !== undefined;
  const answer =
    first?.do === 'say' && others.length === 0
      ? { say: first.text }
      : isSilent
        ? {}
        : { steps: writeSteps(steps) };
  return {
    ...answer,
    ...(usages ? { usage: usages.map(toFileKeys) } : usage ? { usage: toFileKeys(usage) } : {}),
    ...toFileKeys(rest),
    ...(failure && { failure: writeFailure(failure) }),
  };
}

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
