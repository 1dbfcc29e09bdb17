import * as z from 'zod';
import { FORMATS } from './common/format-version.js';
import { versionFields } from './common/version-fields.js';

/**
 * What a scripted agent says and does, as data: the one internal form of every script, whatever file or builder it
 * comes from, and the form in which it travels to another process. Rules are tried in order, the first that fits
 * answers. Texts may use `{{1}}` for a capture, `{{upper 1}}`, `{{reverse 1}}`, `{{add 1 2}}`, `{{cwd}}`, `{{session}}`.
 */
const patternSchema = z.union([
  z.strictObject({ exact: z.string() }),
  z.strictObject({ contains: z.string() }),
  z.strictObject({ regex: z.string(), flags: z.string().optional() }),
  z.strictObject({ glob: z.string() }),
  z.strictObject({ any: z.literal(true) }),
]);
export type Pattern = z.infer<typeof patternSchema>;

/** Conditions on what really arrived. All that are given must hold; groups of a regex are captured in this order. */
const conditionSchema = z.strictObject({
  hat: z.string().optional(),
  event: z.string().optional(),
  coordinating: z.boolean().optional(),
  objective: patternSchema.optional(),
  memories: patternSchema.optional(),
  prompt: z.array(patternSchema).optional(),
  systemPrompt: patternSchema.optional(),
  /** What the user said earlier in the conversation, all of it. */
  earlier: patternSchema.optional(),
  /** The result of the tool that ran last in this agent loop. */
  toolResult: patternSchema.optional(),
  model: patternSchema.optional(),
  cwd: patternSchema.optional(),
  session: patternSchema.optional(),
  /** Options that the CLI was called with, such as `--resume`. */
  flags: z.array(z.string()).optional(),
  /** The how-manieth prompt of its conversation this is, from 1. */
  turn: z.number().int().positive().optional(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** One thing that an agent does in its loop, in words that each backend maps to its own tools. */
const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('say'), text: z.string() }),
  z.strictObject({ do: z.literal('write'), path: z.string(), text: z.string() }),
  z.strictObject({ do: z.literal('append'), path: z.string(), text: z.string() }),
  z.strictObject({ do: z.literal('edit'), path: z.string(), old: z.string(), new: z.string() }),
  z.strictObject({ do: z.literal('read'), path: z.string() }),
  /** Appends a line to ralph's scratchpad. */
  z.strictObject({ do: z.literal('note'), text: z.string() }),
  z.strictObject({ do: z.literal('run'), command: z.string() }),
  z.strictObject({
    do: z.literal('emit'),
    topic: z.string(),
    payload: z.string().optional(),
    by: z.enum(['command', 'tag']),
  }),
  /** Declares the objective complete in the way that the prompt asks for. */
  z.strictObject({ do: z.literal('complete') }),
  /** A tool of the CLI under its own name. With a `result` it is only shown, not run. */
  z.strictObject({
    do: z.literal('tool'),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    result: z.string().optional(),
  }),
  z.strictObject({ do: z.literal('wait'), milliseconds: z.number().nonnegative() }),
  z.strictObject({ do: z.literal('hang') }),
]);
export type Step = z.infer<typeof stepSchema>;

/** How the service behind the CLI, the wire to it or the CLI itself lets its caller down. */
const failureSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('authentication'), message: z.string().optional() }),
  z.strictObject({ type: z.literal('forbidden'), message: z.string().optional() }),
  z.strictObject({ type: z.literal('not-found'), message: z.string().optional() }),
  z.strictObject({ type: z.literal('too-large'), message: z.string().optional() }),
  z.strictObject({ type: z.literal('rate-limit'), retryAfterSeconds: z.number().optional() }),
  z.strictObject({ type: z.literal('out-of-credits') }),
  z.strictObject({ type: z.literal('server-error'), message: z.string().optional() }),
  z.strictObject({ type: z.literal('overloaded') }),
  z.strictObject({ type: z.literal('unreachable') }),
  z.strictObject({ type: z.literal('timeout'), afterMs: z.number().optional() }),
  z.strictObject({ type: z.literal('reset') }),
  z.strictObject({ type: z.literal('truncated'), text: z.string().optional() }),
  z.strictObject({ type: z.literal('malformed'), raw: z.string().optional() }),
  z.strictObject({ type: z.literal('crash'), signal: z.string().optional() }),
]);
export type Failure = z.infer<typeof failureSchema>;

/** What answers one prompt: the steps of one agent loop, or a failure. */
const responseSchema = z.strictObject({
  steps: z.array(stepSchema),
  usage: z.strictObject({ inputTokens: z.number(), outputTokens: z.number() }).optional(),
  /** Before the first step. */
  delayMs: z.number().nonnegative().optional(),
  /** Between the tokens of a text, on the wire. */
  tokenDelayMs: z.number().nonnegative().optional(),
  stopReason: z.string().optional(),
  failure: failureSchema.optional(),
  /** The failure goes away after this many times: retry, then succeed. */
  failTimes: z.number().int().positive().optional(),
});
export type Response = z.infer<typeof responseSchema>;

/** What follows in the same conversation: user turns, not the steps of one loop. */
const turnSchema = z.strictObject({ when: conditionSchema, respond: responseSchema });

const ruleSchema = z.strictObject({
  /** For messages and records, e.g. `on hat Builder`. */
  name: z.string(),
  when: conditionSchema,
  respond: responseSchema,
  /** How often the rule may be entered; its turns do not count. */
  maxMatches: z.number().int().positive().optional(),
  turns: z.array(turnSchema),
});
export type Rule = z.infer<typeof ruleSchema>;

/** Per tool of the CLI: whether it may run without asking, and what it answers instead of running. */
const toolPolicySchema = z.strictObject({
  approve: z.boolean().optional(),
  result: z.string().optional(),
  error: z.string().optional(),
  answers: z.record(z.string(), z.string()).optional(),
});

export const agentScriptSchema = z.strictObject({
  ...versionFields(FORMATS.agentScript),
  name: z.string().optional(),
  /** Who the agent says it is; every part has a default that each face knows. */
  identity: z
    .strictObject({
      model: z.string().optional(),
      version: z.string().optional(),
      sessionId: z.string().optional(),
      permissionMode: z.string().optional(),
      loggedIn: z.boolean().optional(),
    })
    .optional(),
  rules: z.array(ruleSchema),
  /** Answers what no rule answers. Without it such a prompt is an error. */
  default: responseSchema.optional(),
  tools: z
    .strictObject({ mode: z.enum(['live', 'mock']), policies: z.record(z.string(), toolPolicySchema) })
    .optional(),
});
export type AgentScript = z.infer<typeof agentScriptSchema>;

/** Which part of a script answered: a rule, a turn of a rule, or the default. */
export const matchPlaceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rule'), rule: z.number() }),
  z.object({ kind: z.literal('turn'), rule: z.number(), turn: z.number() }),
  z.object({ kind: z.literal('default') }),
]);
export type MatchPlace = z.infer<typeof matchPlaceSchema>;

/** One call of a scripted agent, as the agent itself recorded it. */
export const invocationSchema = z.object({
  at: z.string(),
  backend: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  environmentNames: z.array(z.string()),
  promptSource: z.enum(['stdin', 'argument', 'file', 'none']),
  promptBytes: z.number(),
  /** Whose turns are counted together; calls without one are conversations of their own. */
  conversation: z.string(),
  place: matchPlaceSchema.nullable(),
  /** The place in words: `response[0].turn[1]`. */
  matched: z.string().nullable(),
  /** A rule that the result of a tool called for, in the middle of the answer to a prompt. */
  afterTool: z.boolean().optional(),
  /** The script that was played: places in one mean nothing in another. */
  script: z.string().optional(),
  outcome: z.enum(['played', 'no-match', 'not-a-prompt', 'refused', 'script-error']),
  detail: z.string().optional(),
});
export type Invocation = z.infer<typeof invocationSchema>;
