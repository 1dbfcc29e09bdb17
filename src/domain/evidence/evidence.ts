import * as z from 'zod';
import { invocationSchema } from '../agent-script.js';
import { conversationSchema } from './conversation.js';
import { isolationRecordSchema } from './isolation.js';
import { readinessSchema } from './readiness.js';
import { requestRecordSchema } from './request-record.js';

/** What was captured of an output stream: all of it on disk, its beginning and end here. */
const capturedTextSchema = z.object({
  path: z.string(),
  bytes: z.number(),
  text: z.string(),
  truncated: z.boolean(),
});
export type CapturedText = z.infer<typeof capturedTextSchema>;

/** How the target's process ended. Exit codes alone do not tell: ralph's 1 and 2 have several meanings each. */
const processExitSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number() }),
  z.object({ kind: z.literal('killed'), signal: z.string() }),
  z.object({ kind: z.literal('timed-out'), afterSeconds: z.number() }),
  z.object({ kind: z.literal('interrupted') }),
]);
export type ProcessExit = z.infer<typeof processExitSchema>;

const toolCallSchema = z.object({
  id: z.string().nullable(),
  name: z.string(),
  input: z.string(),
  result: z.string().nullable(),
  isError: z.boolean(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One turn of the loop: what the agent was sent, what it answered. */
const iterationSchema = z.object({
  number: z.number(),
  hat: z.string().nullable(),
  prompt: z.string().nullable(),
  said: z.string(),
  /** The form of the answer on ralph's stdout, which tells Claude from CLIs that print plain text. */
  form: z.enum(['claude-stream', 'text']).optional(),
  toolCalls: z.array(toolCallSchema),
  durationSeconds: z.number().nullable(),
  /** Set where `said` is not all of it. */
  saidCut: z.literal(true).optional(),
});
export type Iteration = z.infer<typeof iterationSchema>;

/** A line of the events file. `source` tells ralph's own bookkeeping from what agents emitted. */
const eventRecordSchema = z.object({
  topic: z.string(),
  payload: z.string().nullable(),
  timestamp: z.string(),
  hat: z.string().nullable(),
  iteration: z.number().nullable(),
  source: z.enum(['ralph', 'agent']),
});
export type EventRecord = z.infer<typeof eventRecordSchema>;

const terminationSchema = z.object({
  reason: z.string(),
  status: z.string(),
  iterations: z.number().nullable(),
  exitCode: z.number().nullable(),
});
export type Termination = z.infer<typeof terminationSchema>;

/** All of a file's text, credentials scrubbed, or why it is not known. */
const fileContentSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whole'), text: z.string(), scrubbed: z.boolean() }),
  z.object({ kind: z.literal('unknown'), why: z.string() }),
]);
export type FileContent = z.infer<typeof fileContentSchema>;

const fileRecordSchema = z.object({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted', 'unchanged']),
  sizeBytes: z.number(),
  /** Its beginning and its end. */
  preview: z.string(),
  /** Missing where the preview is all of it. */
  content: fileContentSchema.optional(),
  /** Set where nobody knows what became of it, and `change` says nothing. */
  compared: z.literal(false).optional(),
});
export type FileRecord = z.infer<typeof fileRecordSchema>;

const usageSchema = z.object({
  model: z.string().nullable(),
  turns: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
});
export type Usage = z.infer<typeof usageSchema>;

const memorySchema = z.object({
  id: z.string(),
  type: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  created: z.string().nullable(),
});
export type Memory = z.infer<typeof memorySchema>;

const taskSchema = z.object({ id: z.string(), title: z.string(), status: z.string() });

/** A command that the scenario had run in the workspace besides the judged run, and its answer. */
const errandRecordSchema = z.object({
  when: z.enum(['before', 'after']),
  command: z.array(z.string()),
  exitCode: z.number().nullable(),
  stdout: z.string(),
  stderr: z.string(),
});
export type ErrandRecord = z.infer<typeof errandRecordSchema>;

/** What can be too long to keep: a check for what is not there must know. */
const cutPartSchema = z.enum(['events', 'memories', 'prompts']);
export type CutPart = z.infer<typeof cutPartSchema>;

/** What a run left behind, parsed once. Checks read this and nothing else. */
export const evidenceSchema = z.object({
  command: z.array(z.string()),
  cwd: z.string(),
  configYaml: z.string(),
  promptText: z.string(),
  startedAt: z.string(),
  durationSeconds: z.number(),
  exit: processExitSchema,
  stdout: capturedTextSchema,
  stderr: capturedTextSchema,
  termination: terminationSchema.nullable(),
  iterations: z.array(iterationSchema),
  events: z.array(eventRecordSchema),
  malformedLines: z.array(z.object({ file: z.string(), line: z.number(), text: z.string() })),
  history: z.array(z.object({ kind: z.string(), reason: z.string().nullable() })),
  scratchpad: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
  memories: z.array(memorySchema),
  tasks: z.array(taskSchema),
  files: z.array(fileRecordSchema),
  /** How many more files there are than `files` lists; missing where it lists all. */
  filesLeftOut: z.number().optional(),
  /** Files that checks read and that are not there. */
  filesAbsent: z.array(z.string()).optional(),
  /** Of these only the beginning and the end were kept. */
  cut: z.array(cutPartSchema).optional(),
  usage: usageSchema.nullable(),
  backendErrors: z.array(z.string()),
  invocations: z.array(invocationSchema),
  /** What the real CLIs asked our model server, in the scripted lane. */
  requests: z.array(requestRecordSchema).default([]),
  errands: z.array(errandRecordSchema).default([]),
  leftBehind: z.array(z.object({ pid: z.number(), command: z.string() })),
  readiness: readinessSchema.nullable(),
  /** Set where the run was a conversation, turn by turn, and no loop of ralph. */
  conversation: conversationSchema.optional(),
  /** Missing on the host, where nothing is stopped and nothing is seen. */
  isolation: isolationRecordSchema.optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;
