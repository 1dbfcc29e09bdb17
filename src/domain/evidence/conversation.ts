import * as z from 'zod';
import { serviceErrorSchema } from './service-error.js';

const callRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()).readonly(),
  result: z.string().nullable(),
  isError: z.boolean(),
  /** For calls of a subagent: the call that started it. */
  parent: z.string().nullable(),
});
/** A tool call in a turn, with its result. */
export type CallRecord = Readonly<z.infer<typeof callRecordSchema>>;

const hookRunSchema = z.object({
  id: z.string(),
  /** For example `PreToolUse:Bash`. */
  name: z.string(),
  event: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.number().nullable(),
  outcome: z.string(),
  /** The call that the hook ran for, by order. */
  callId: z.string().nullable(),
  /** Whether the hook blocked. Exit code 2 and a JSON decision both block; the outcome alone does not show it. */
  blocked: z.boolean(),
  reason: z.string().nullable(),
});
/** One run of a hook, as the CLI reported it. The report names neither plugin nor tool call, so the order decides. */
export type HookRun = Readonly<z.infer<typeof hookRunSchema>>;

const turnOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed') }),
  z.object({ kind: z.literal('blocked'), reason: z.string() }),
  z.object({ kind: z.literal('unknown-command'), command: z.string() }),
  /** Several plugins have the command, so it was not sent. */
  z.object({ kind: z.literal('ambiguous-command'), command: z.string(), meanings: z.string() }),
  z.object({ kind: z.literal('api-error'), status: z.number().nullable(), message: z.string() }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({ kind: z.literal('limit'), which: z.string() }),
  z.object({ kind: z.literal('timed-out'), afterSeconds: z.number() }),
  z.object({ kind: z.literal('crashed'), detail: z.string() }),
]);
/** How a turn ended. Only the first kind is a success; the CLI exits with 0 for most of the others too. */
export type TurnOutcome = Readonly<z.infer<typeof turnOutcomeSchema>>;

const turnSchema = z.object({
  number: z.number(),
  /** The prompt as the author wrote it. */
  asked: z.string(),
  /** The prompt as it was sent: `/plan` becomes `/agent-loop:plan`. */
  sent: z.string(),
  command: z.object({ name: z.string(), args: z.string() }).readonly().nullable(),
  startedAt: z.string(),
  durationMs: z.number(),
  outcome: turnOutcomeSchema.readonly(),
  text: z.string(),
  /** The last of several texts. Missing if the agent said only one. */
  lastText: z.string().optional(),
  calls: z.array(callRecordSchema.readonly()).readonly(),
  hooks: z.array(hookRunSchema.readonly()).readonly(),
  /** The ids of calls that were denied. */
  denied: z.array(z.string()).readonly(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** The cost of the whole session so far. A turn that did not end adds nothing: its cost is unknown. */
  totalCostUsd: z.number(),
  /** What the model received, by request: each has only what was new in it. Missing in the live lane. */
  received: z.array(z.string()).readonly().optional(),
  /** Errors of the service behind the CLI. Missing if the CLI reported none. */
  serviceErrors: z
    .array(serviceErrorSchema.omit({ iteration: true }))
    .readonly()
    .optional(),
});
/** One prompt, and everything that the agent did until the next one. */
export type Turn = Readonly<z.infer<typeof turnSchema>>;

const stageProofSchema = z.enum(['commanded', 'declared', 'observed']);
/** Why a stage counts as reached: a command asked for it, the agent declared it, or the evidence shows it. */
export type StageProof = z.infer<typeof stageProofSchema>;

const stageChangeSchema = z.object({
  turn: z.number(),
  /** When: the end of the turn that shows it. The stage before ended then, too. Missing in older evidence. */
  at: z.string().optional(),
  from: z.string(),
  to: z.string(),
  trigger: z.string(),
  proofs: z.array(stageProofSchema).readonly(),
  /** The evidence, as text. */
  observed: z.array(z.string()).readonly(),
  /** Whether the workflow allows the step. */
  valid: z.boolean(),
});
/** One step from one stage to another. */
export type StageChange = Readonly<z.infer<typeof stageChangeSchema>>;

const findingSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown-file'), turn: z.number(), path: z.string(), exists: z.boolean() }),
  z.object({ kind: z.literal('repeated-call'), turn: z.number(), tool: z.string(), times: z.number() }),
  z.object({ kind: z.literal('repeated-error'), turn: z.number(), tool: z.string(), times: z.number() }),
  z.object({ kind: z.literal('invalid-transition'), turn: z.number(), from: z.string(), to: z.string() }),
]);
/** Something odd in a conversation. It need not make the scenario fail. */
export type Finding = Readonly<z.infer<typeof findingSchema>>;

const fileSeenSchema = z.object({
  turn: z.number(),
  /** Relative to the workspace. */
  path: z.string(),
  /** In the prompt, the answer or a result; opened by a call; or changed by the turn. */
  how: z.enum(['mentioned', 'read', 'modified']),
});
/** A file that came up in a turn. */
export type FileSeen = Readonly<z.infer<typeof fileSeenSchema>>;

const commitRecordSchema = z.object({
  turn: z.number(),
  hash: z.string(),
  message: z.string(),
  paths: z.array(z.string()).readonly(),
});
/** A commit that a turn made. */
export type CommitRecord = Readonly<z.infer<typeof commitRecordSchema>>;

const fileSnapshotSchema = z.object({
  path: z.string(),
  /** What the turn did to it. Before the first turn, every file is `present`. */
  change: z.enum(['present', 'added', 'modified', 'deleted']),
  sizeBytes: z.number(),
  /** The text, or why it was not kept. Missing for a deleted file. */
  content: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('whole'), text: z.string(), scrubbed: z.boolean() }),
      z.object({ kind: z.literal('unknown'), why: z.string() }),
    ])
    .readonly()
    .optional(),
});
/** A file as it was after a turn. */
export type FileSnapshot = Readonly<z.infer<typeof fileSnapshotSchema>>;

const turnSnapshotSchema = z.object({
  /** The turn; 0 for the moment before the first. */
  turn: z.number(),
  /** The files that the turn changed. Before the first turn: those that checks read. */
  files: z.array(fileSnapshotSchema).readonly(),
  /** Whether there were more files than could be compared or listed. */
  truncated: z.boolean(),
});
/** The files that a turn changed, with their content. */
export type TurnSnapshot = Readonly<z.infer<typeof turnSnapshotSchema>>;

const devServerSchema = z.object({
  command: z.array(z.string()).readonly(),
  /** Where it answered before the first turn. */
  url: z.string(),
  /** How it ended before the conversation did; null if it ran until then. */
  endedEarly: z.string().nullable(),
});
/** The server that ran during a conversation. */
export type DevServerRecord = Readonly<z.infer<typeof devServerSchema>>;

/** What the CLI reported about itself: what it loaded, and what it could not load. */
const sessionInitSchema = z.object({
  version: z.string(),
  model: z.string(),
  permissionMode: z.string(),
  tools: z.array(z.string()),
  agents: z.array(z.string()),
  skills: z.array(z.string()),
  /** `error` is the known cause of a failure. */
  mcpServers: z.array(z.object({ name: z.string(), status: z.string(), error: z.string().optional() })),
  plugins: z.array(z.object({ name: z.string(), path: z.string() })),
  pluginErrors: z.array(z.object({ plugin: z.string(), type: z.string(), message: z.string() })),
});

export const conversationSchema = z.object({
  sessionId: z.string(),
  /** The number of planned turns. Fewer took place if one of them ended the session. */
  planned: z.number(),
  /** Why the CLI did not get to its first turn, or null. */
  startError: z.string().nullable(),
  turns: z.array(turnSchema.readonly()),
  init: sessionInitSchema.nullable(),
  commands: z.array(z.object({ name: z.string(), description: z.string() })),
  workflow: z.string().nullable(),
  /** The stage of the workflow at the end. */
  stage: z.string().nullable(),
  stages: z.array(stageChangeSchema.readonly()),
  commits: z.array(commitRecordSchema.readonly()),
  findings: z.array(findingSchema.readonly()),
  /** The files that the agent came across, by turn. Missing in older evidence. */
  filesSeen: z.array(fileSeenSchema.readonly()).optional(),
  /** The lines that a recording hook wrote: the event and payload that it received. */
  hookLog: z.array(z.object({ event: z.string(), payload: z.record(z.string(), z.unknown()) })),
  /** The files after each turn. Missing in older evidence. */
  snapshots: z.array(turnSnapshotSchema.readonly()).optional(),
  /** Missing if the scenario has none. */
  devServer: devServerSchema.readonly().optional(),
  /** The state transitions that a conversation does not allow. */
  illegalSteps: z.array(z.string()),
});
/** The evidence of a conversation, in addition to the evidence of every run. */
export type ConversationRecord = z.infer<typeof conversationSchema>;
