import * as z from 'zod';
import { FORMATS } from './common/formats.js';

const patternSchema = z.union([
  z.strictObject({ exact: z.string() }),
  z.strictObject({ contains: z.string() }),
  z.strictObject({ regex: z.string(), flags: z.string().optional() }),
  z.strictObject({ glob: z.string() }),
  z.strictObject({ any: z.literal(true) }),
]);
/** A pattern that a text must match. */
export type Pattern = z.infer<typeof patternSchema>;

export const conditionSchema = z.strictObject({
  hat: z.string().optional(),
  event: z.string().optional(),
  coordinating: z.boolean().optional(),
  objective: patternSchema.optional(),
  memories: patternSchema.optional(),
  prompt: z.array(patternSchema).optional(),
  systemPrompt: patternSchema.optional(),
  /** Everything that the user said earlier in the conversation. */
  earlier: patternSchema.optional(),
  /** The result of the tool that ran last in this agent loop. */
  toolResult: patternSchema.optional(),
  model: patternSchema.optional(),
  cwd: patternSchema.optional(),
  session: patternSchema.optional(),
  /** Options that the CLI was called with, such as `--resume`. */
  flags: z.array(z.string()).optional(),
  /** This is the Nth prompt of the conversation, counted from 1. */
  turn: z.number().int().positive().optional(),
  /** The prompt says the same as a recorded one. The folder, ids and times may differ. */
  recorded: z.strictObject({ prompt: z.string(), workspace: z.string() }).optional(),
});
/** Conditions on what the agent really received. All of them must hold. Regex groups are captured in this order. */
export type Condition = z.infer<typeof conditionSchema>;

const redoSchema = z.strictObject({
  /** What the tool answered when it was recorded. */
  result: z.string(),
  isError: z.boolean(),
  how: z.discriminatedUnion('kind', [
    /** Runs a tool that reads or writes a file. It must succeed or fail as it did. */
    z.strictObject({ kind: z.literal('file') }),
    /** Runs a command. It must succeed or fail as it did, and with `sameResult` it must answer the same. */
    z.strictObject({ kind: z.literal('command'), sameResult: z.boolean() }),
    /** Shows the recorded answer, and leaves the files that the tool left. */
    z.strictObject({
      kind: z.literal('show'),
      writes: z.array(z.strictObject({ path: z.string(), text: z.string() })),
      removes: z.array(z.string()),
    }),
  ]),
});
/** How to do a recorded tool call again. */
export type Redo = z.infer<typeof redoSchema>;

/** The model asks for this tool in the same answer as for the tool of the step before it. */
const alongside = z.literal(true).optional();

const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('say'), text: z.string() }),
  /** What the model thinks before it speaks. Callers that do not ask for it do not get it. */
  z.strictObject({ do: z.literal('think'), text: z.string() }),
  z.strictObject({ do: z.literal('write'), path: z.string(), text: z.string(), alongside }),
  z.strictObject({ do: z.literal('append'), path: z.string(), text: z.string(), alongside }),
  z.strictObject({ do: z.literal('edit'), path: z.string(), old: z.string(), new: z.string(), alongside }),
  z.strictObject({ do: z.literal('read'), path: z.string(), alongside }),
  /** Appends a line to Ralph's scratchpad. */
  z.strictObject({ do: z.literal('note'), text: z.string(), alongside }),
  z.strictObject({ do: z.literal('run'), command: z.string(), alongside }),
  z.strictObject({
    alongside,
    do: z.literal('emit'),
    topic: z.string(),
    payload: z.string().optional(),
    by: z.enum(['command', 'tag']),
  }),
  /** Declares the objective complete in the way that the prompt asks for. */
  z.strictObject({ do: z.literal('complete') }),
  /** Calls a tool of the CLI by its own name. With a `result`, the call is only shown, not run. */
  z.strictObject({
    alongside,
    do: z.literal('tool'),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    result: z.string().optional(),
    /** Set if the call comes from a recording. Only the stand-in for Claude Code plays it. */
    redo: redoSchema.optional(),
  }),
  z.strictObject({ do: z.literal('wait'), milliseconds: z.number().nonnegative() }),
  z.strictObject({ do: z.literal('hang') }),
]);
/** One step of an agent, in neutral terms that each backend maps to its own tools. */
export type Step = z.infer<typeof stepSchema>;
/** A step that uses a tool of the CLI. */
export type ToolStep = Exclude<Step, { do: 'say' | 'think' | 'wait' | 'complete' | 'hang' }>;

export const agentFailureSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('authentication'), message: z.string().optional() }),
  z.strictObject({ type: z.literal('forbidden'), message: z.string().optional() }),
  z.strictObject({ type: z.literal('not-found'), message: z.string().optional() }),
  z.strictObject({ type: z.literal('too-large'), message: z.string().optional() }),
  z.strictObject({
    type: z.literal('rate-limit'),
    message: z.string().optional(),
    retryAfterSeconds: z.number().optional(),
  }),
  z.strictObject({ type: z.literal('out-of-credits'), message: z.string().optional() }),
  z.strictObject({
    type: z.literal('server-error'),
    message: z.string().optional(),
    /** The HTTP status if it is not 500. */
    status: z.number().int().min(400).max(599).optional(),
  }),
  z.strictObject({ type: z.literal('overloaded'), message: z.string().optional() }),
  z.strictObject({ type: z.literal('unreachable') }),
  z.strictObject({ type: z.literal('timeout'), afterMs: z.number().optional() }),
  z.strictObject({ type: z.literal('reset') }),
  z.strictObject({ type: z.literal('truncated'), text: z.string().optional() }),
  z.strictObject({ type: z.literal('malformed'), raw: z.string().optional() }),
  z.strictObject({ type: z.literal('crash'), signal: z.string().optional() }),
]);
/** A failure of the service behind the CLI, of the connection to it, or of the CLI itself. */
export type Failure = z.infer<typeof agentFailureSchema>;

const usageSchema = z.strictObject({ inputTokens: z.number(), outputTokens: z.number() });

const responseSchema = z.strictObject({
  steps: z.array(stepSchema),
  /** The usage of each answer in the loop. */
  usage: usageSchema.optional(),
  /** The usage of the first answer, the second and so on, if they differ. */
  usages: z.array(usageSchema).optional(),
  /** The delay before the first step. */
  delayMs: z.number().nonnegative().optional(),
  /** The delay between the tokens of a streamed text. */
  tokenDelayMs: z.number().nonnegative().optional(),
  stopReason: z.string().optional(),
  failure: agentFailureSchema.optional(),
  /** The failure occurs this many times, then a retry succeeds. */
  failTimes: z.number().int().positive().optional(),
});
/** The answer to one prompt: the steps of one agent loop, or a failure. */
export type Response = z.infer<typeof responseSchema>;

/** A later turn of the same conversation, not a step of one loop. */
const turnSchema = z.strictObject({ when: conditionSchema, respond: responseSchema });

const ruleSchema = z.strictObject({
  /** The name in messages and records, such as `on hat Builder`. */
  name: z.string(),
  when: conditionSchema,
  respond: responseSchema,
  /** How often the rule may match. Its turns do not count. */
  maxMatches: z.number().int().positive().optional(),
  turns: z.array(turnSchema),
});
export type Rule = z.infer<typeof ruleSchema>;

/** The policy for one tool of the CLI: whether it may run without asking, and what it returns instead of running. */
const toolPolicySchema = z.strictObject({
  approve: z.boolean().optional(),
  result: z.string().optional(),
  error: z.string().optional(),
  answers: z.record(z.string(), z.string()).optional(),
});

export const agentScriptSchema = z.strictObject({
  format: z.literal(FORMATS.agentScript.format),
  name: z.string().optional(),
  /** Set if the script is a recording: a prompt that no rule answers is then a divergence. */
  recording: z.object({}).optional(),
  /** What the agent reports about itself. Each program has defaults. */
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
  /** The answer to a prompt that no rule matches. Without it, such a prompt is an error. */
  default: responseSchema.optional(),
  tools: z
    .strictObject({ mode: z.enum(['live', 'mock']), policies: z.record(z.string(), toolPolicySchema) })
    .optional(),
});
/**
 * What a scripted agent says and does, as data. Every script has this form inside the program and on its way to another
 * process, whichever file or builder it comes from. Rules are tried in order, and the first that matches answers. Texts
 * may use `{{1}}` for a capture, `{{upper 1}}`, `{{reverse 1}}`, `{{add 1 2}}`, `{{cwd}}`, `{{session}}`.
 */
export type AgentScript = z.infer<typeof agentScriptSchema>;

/** The part of a script that answered: a rule, a turn of a rule, or the default. */
export const matchPlaceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rule'), rule: z.number() }),
  z.object({ kind: z.literal('turn'), rule: z.number(), turn: z.number() }),
  z.object({ kind: z.literal('default') }),
]);
export type MatchPlace = z.infer<typeof matchPlaceSchema>;

/** One call of a scripted agent, as recorded by the agent itself. */
export const invocationSchema = z.object({
  at: z.string(),
  backend: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  environmentNames: z.array(z.string()),
  promptSource: z.enum(['stdin', 'argument', 'file', 'none']),
  promptBytes: z.number(),
  /** The fingerprint of the prompt without whitespace at its ends. Missing if there was no prompt. */
  promptHash: z.string().optional(),
  /** The conversation in which turns are counted. A call without one is a conversation of its own. */
  conversation: z.string(),
  place: matchPlaceSchema.nullable(),
  /** The place as text: `response[0].turn[1]`. */
  matched: z.string().nullable(),
  /** Set if the result of a tool selected the rule, in the middle of an answer. */
  afterTool: z.boolean().optional(),
  /** The script that was played. A place is meaningful only in its own script. */
  script: z.string().optional(),
  /** `diverged`: a recording is played, and what the agent got is not what the recorded one got. */
  outcome: z.enum(['played', 'no-match', 'not-a-prompt', 'refused', 'script-error', 'diverged']),
  detail: z.string().optional(),
  /** The whole prompt, if no rule answered it. */
  unanswered: z.string().optional(),
});
export type Invocation = z.infer<typeof invocationSchema>;
