import * as z from 'zod';

/** A tool call in a turn, with what came back. */
const callRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()).readonly(),
  result: z.string().nullable(),
  isError: z.boolean(),
  /** Set for calls of a subagent: the call that started it. */
  parent: z.string().nullable(),
});
export type CallRecord = Readonly<z.infer<typeof callRecordSchema>>;

/** One run of a hook, as the CLI reported it. It names neither the plugin nor the tool call: order tells. */
const hookRunSchema = z.object({
  id: z.string(),
  /** `PreToolUse:Bash`. */
  name: z.string(),
  event: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.number().nullable(),
  outcome: z.string(),
  /** The call that it ran for, by order. */
  callId: z.string().nullable(),
  /** Exit 2 and a JSON decision both block; the outcome alone does not tell. */
  blocked: z.boolean(),
  reason: z.string().nullable(),
});
export type HookRun = Readonly<z.infer<typeof hookRunSchema>>;

/** How a turn ended. Only the first is a success; the CLI exits 0 in most of the others too. */
const turnOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed') }),
  z.object({ kind: z.literal('blocked'), reason: z.string() }),
  z.object({ kind: z.literal('unknown-command'), command: z.string() }),
  /** Several plugins have it: it was not sent. */
  z.object({ kind: z.literal('ambiguous-command'), command: z.string(), meanings: z.string() }),
  z.object({ kind: z.literal('api-error'), status: z.number().nullable(), message: z.string() }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({ kind: z.literal('limit'), which: z.string() }),
  z.object({ kind: z.literal('timed-out'), afterSeconds: z.number() }),
  z.object({ kind: z.literal('crashed'), detail: z.string() }),
]);
export type TurnOutcome = Readonly<z.infer<typeof turnOutcomeSchema>>;

/** One prompt and everything that the agent did until it was the user's turn again. */
const turnSchema = z.object({
  number: z.number(),
  /** The prompt as the author gave it, and as it was sent (`/plan` becomes `/agent-loop:plan`). */
  asked: z.string(),
  sent: z.string(),
  command: z.object({ name: z.string(), args: z.string() }).readonly().nullable(),
  startedAt: z.string(),
  durationMs: z.number(),
  outcome: turnOutcomeSchema.readonly(),
  text: z.string(),
  calls: z.array(callRecordSchema.readonly()).readonly(),
  hooks: z.array(hookRunSchema.readonly()).readonly(),
  /** Ids of calls that were not allowed. */
  denied: z.array(z.string()).readonly(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Of the whole session up to here; of a turn that did not end nobody knows, and it adds nothing. */
  totalCostUsd: z.number(),
});
export type Turn = Readonly<z.infer<typeof turnSchema>>;

/** Why a stage counts: a command asked for it, the agent declared it, or the world shows it. */
const stageProofSchema = z.enum(['commanded', 'declared', 'observed']);
export type StageProof = z.infer<typeof stageProofSchema>;

/** One step from stage to stage. */
const stageChangeSchema = z.object({
  turn: z.number(),
  from: z.string(),
  to: z.string(),
  trigger: z.string(),
  proofs: z.array(stageProofSchema).readonly(),
  /** What was seen, in words. */
  observed: z.array(z.string()).readonly(),
  /** Whether the workflow allows the step. */
  valid: z.boolean(),
});
export type StageChange = Readonly<z.infer<typeof stageChangeSchema>>;

/** Something odd in a conversation that need not make it fail. */
const findingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown-file'), turn: z.number(), path: z.string(), exists: z.boolean() }),
  z.object({ kind: z.literal('repeated-call'), turn: z.number(), tool: z.string(), times: z.number() }),
  z.object({ kind: z.literal('repeated-error'), turn: z.number(), tool: z.string(), times: z.number() }),
  z.object({ kind: z.literal('invalid-transition'), turn: z.number(), from: z.string(), to: z.string() }),
]);
export type Finding = Readonly<z.infer<typeof findingSchema>>;

/** A commit that a turn made. */
const commitRecordSchema = z.object({
  turn: z.number(),
  hash: z.string(),
  message: z.string(),
  paths: z.array(z.string()).readonly(),
});
export type CommitRecord = Readonly<z.infer<typeof commitRecordSchema>>;

/** What the CLI said of itself: what it loaded, and what it could not load. */
const sessionInitSchema = z.object({
  version: z.string(),
  model: z.string(),
  permissionMode: z.string(),
  tools: z.array(z.string()),
  agents: z.array(z.string()),
  skills: z.array(z.string()),
  /** With what is known of the cause, where one has failed. */
  mcpServers: z.array(z.object({ name: z.string(), status: z.string(), error: z.string().optional() })),
  plugins: z.array(z.object({ name: z.string(), path: z.string() })),
  pluginErrors: z.array(z.object({ plugin: z.string(), type: z.string(), message: z.string() })),
});

/** What a conversation left behind, besides what every run leaves. */
export const conversationSchema = z.object({
  sessionId: z.string(),
  /** How many turns were planned; fewer took place where one of them broke the session off. */
  planned: z.number(),
  /** Why the CLI never got as far as its first turn. */
  startError: z.string().nullable(),
  turns: z.array(turnSchema.readonly()),
  init: sessionInitSchema.nullable(),
  commands: z.array(z.object({ name: z.string(), description: z.string() })),
  workflow: z.string().nullable(),
  /** Where the workflow stood at the end. */
  stage: z.string().nullable(),
  stages: z.array(stageChangeSchema.readonly()),
  commits: z.array(commitRecordSchema.readonly()),
  findings: z.array(findingSchema.readonly()),
  /** Lines that a recording hook wrote: the event and the payload that it was given. */
  hookLog: z.array(z.object({ event: z.string(), payload: z.record(z.string(), z.unknown()) })),
  /** Things that the states of a conversation do not foresee. */
  illegalSteps: z.array(z.string()),
});
export type ConversationRecord = z.infer<typeof conversationSchema>;
