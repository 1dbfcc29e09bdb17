import * as z from 'zod';
import { invocationSchema } from '../agent-script.js';
import { conversationSchema } from './conversation.js';
import { isolationRecordSchema } from './isolation.js';
import { readinessSchema } from './readiness.js';
import { requestRecordSchema } from './request-record.js';
import { serviceErrorSchema } from './service-error.js';

const capturedTextSchema = z.object({
  path: z.string(),
  bytes: z.number(),
  text: z.string(),
  truncated: z.boolean(),
});
/** A captured output stream: all of it on disk, its beginning and end here. */
export type CapturedText = z.infer<typeof capturedTextSchema>;

const processExitSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exited'), code: z.number() }),
  z.object({ kind: z.literal('killed'), signal: z.string() }),
  z.object({ kind: z.literal('timed-out'), afterSeconds: z.number() }),
  z.object({ kind: z.literal('interrupted') }),
]);
/** How the target's process ended. The exit code alone is not enough: Ralph's 1 and 2 each have several meanings. */
export type ProcessExit = z.infer<typeof processExitSchema>;

const toolCallSchema = z.object({
  id: z.string().nullable(),
  name: z.string(),
  input: z.string(),
  result: z.string().nullable(),
  isError: z.boolean(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

const cliReportSchema = z.object({
  /** The tools that the CLI offers to the model. */
  tools: z.array(z.string()),
  permissionMode: z.string(),
  /** True if the answer arrived whole: it ends with the CLI's own summary, and every tool call has its result. */
  whole: z.boolean(),
});
/** What the CLI reported about itself in one iteration. */
export type CliReport = z.infer<typeof cliReportSchema>;

const iterationSchema = z.object({
  number: z.number(),
  hat: z.string().nullable(),
  prompt: z.string().nullable(),
  said: z.string(),
  /** The form of the answer on Ralph's stdout. It distinguishes Claude from CLIs that print plain text. */
  form: z.enum(['claude-stream', 'text']).optional(),
  /** The number of text blocks in the answer. Missing if the CLI prints plain text. */
  texts: z.number().optional(),
  /** The lengths of these blocks, if there are several. `said` has them in order, with a line break between two. */
  textLengths: z.array(z.number()).optional(),
  toolCalls: z.array(toolCallSchema),
  /** In which order text blocks and tool calls came. Missing if there are only blocks, or only calls, or plain text. */
  order: z.array(z.enum(['text', 'tool'])).optional(),
  durationSeconds: z.number().nullable(),
  /** Set if the iteration finished and nothing says how long it took. */
  finished: z.literal(true).optional(),
  /** Set if `said` is not the whole text. */
  saidCut: z.literal(true).optional(),
  /** Missing if the CLI prints plain text. */
  cli: cliReportSchema.optional(),
});
/** One iteration of the loop: the prompt and the answer. */
export type Iteration = z.infer<typeof iterationSchema>;

const eventRecordSchema = z.object({
  topic: z.string(),
  payload: z.string().nullable(),
  timestamp: z.string(),
  hat: z.string().nullable(),
  iteration: z.number().nullable(),
  source: z.enum(['ralph', 'agent']),
});
/** A line of the events file. `source` distinguishes Ralph's own records from the events of agents. */
export type EventRecord = z.infer<typeof eventRecordSchema>;

const terminationSchema = z.object({
  reason: z.string(),
  status: z.string(),
  iterations: z.number().nullable(),
  exitCode: z.number().nullable(),
});
export type Termination = z.infer<typeof terminationSchema>;

const fileContentSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whole'), text: z.string(), scrubbed: z.boolean() }),
  z.object({ kind: z.literal('unknown'), why: z.string() }),
]);
/** The whole text of a file with credentials scrubbed, or why it is unknown. */
export type FileContent = z.infer<typeof fileContentSchema>;

const fileRecordSchema = z.object({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted', 'unchanged']),
  sizeBytes: z.number(),
  /** The beginning and the end of the file. */
  preview: z.string(),
  /** Missing if the preview is the whole file. */
  content: fileContentSchema.optional(),
  /** Set if the file could not be compared. `change` then means nothing. */
  compared: z.literal(false).optional(),
});
export type FileRecord = z.infer<typeof fileRecordSchema>;

const usageSchema = z.object({
  model: z.string().nullable(),
  turns: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
  /** The tokens that were read from or written to a cache. They are not part of `inputTokens`. */
  cacheTokens: z.number().optional(),
  /** The number of iterations or turns that reported their usage. One that was ended early did not. */
  calls: z.number().optional(),
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

const errandRecordSchema = z.object({
  when: z.enum(['before', 'after']),
  command: z.array(z.string()),
  exitCode: z.number().nullable(),
  stdout: z.string(),
  stderr: z.string(),
});
/** A command that ran in the workspace before or after the judged run, and its answer. */
export type ErrandRecord = z.infer<typeof errandRecordSchema>;

export const logLineSchema = z.object({
  at: z.string(),
  level: z.string(),
  /** The Rust module that logged it, such as `ralph_core::event_loop`. */
  module: z.string(),
  text: z.string(),
});
/** A line of Ralph's own log. */
export type LogLine = z.infer<typeof logLineSchema>;

const cutPartSchema = z.enum(['events', 'memories', 'prompts']);
/** A part of the evidence that can be too long to keep. A check that expects something to be absent must know. */
export type CutPart = z.infer<typeof cutPartSchema>;

export const evidenceSchema = z.object({
  command: z.array(z.string()),
  cwd: z.string(),
  configYaml: z.string(),
  promptText: z.string(),
  /** The word that ends the loop: from a flag, a hat collection or the configuration. A conversation has none. */
  promise: z.string().optional(),
  startedAt: z.string(),
  durationSeconds: z.number(),
  exit: processExitSchema,
  stdout: capturedTextSchema,
  stderr: capturedTextSchema,
  termination: terminationSchema.nullable(),
  iterations: z.array(iterationSchema),
  events: z.array(eventRecordSchema),
  /** The number of events that `events` leaves out, or has only in part. Missing if it has all. */
  eventsLeftOut: z.number().optional(),
  /** The topics of the sessions that this run continues, and of what came between them. Missing if there are none. */
  earlierTopics: z.array(z.string()).optional(),
  malformedLines: z.array(z.object({ file: z.string(), line: z.number(), text: z.string() })),
  history: z.array(z.object({ kind: z.string(), reason: z.string().nullable() })),
  scratchpad: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
  memories: z.array(memorySchema),
  tasks: z.array(taskSchema),
  files: z.array(fileRecordSchema),
  /** The number of files that `files` leaves out. Missing if it lists all. */
  filesLeftOut: z.number().optional(),
  /** The files that checks read and that do not exist. */
  filesAbsent: z.array(z.string()).optional(),
  /** The parts of which only the beginning and the end were kept. */
  cut: z.array(cutPartSchema).optional(),
  /** Records of Ralph in a form that this ralph-e2e does not know, so that nothing can be judged. Missing if there are none. */
  unknownRecords: z.array(z.string()).optional(),
  /** Where the records of Ralph contradict what it printed or sent. Missing if they agree. */
  contradictions: z.array(z.string()).optional(),
  /** What Ralph logged about itself. Missing if it logged nothing. */
  log: z.array(logLineSchema).optional(),
  usage: usageSchema.nullable(),
  backendErrors: z.array(z.string()),
  /** Errors of the service behind the agent CLI. Missing if the CLI reported none. */
  serviceErrors: z.array(serviceErrorSchema).optional(),
  invocations: z.array(invocationSchema),
  /** The requests of the real CLIs to our model server, in the scripted lane. */
  requests: z.array(requestRecordSchema),
  errands: z.array(errandRecordSchema),
  leftBehind: z.array(z.object({ pid: z.number(), command: z.string() })),
  readiness: readinessSchema.nullable(),
  /** Set if the run was a conversation and not a loop of Ralph. */
  conversation: conversationSchema.optional(),
  /** Missing on the host, where nothing is stopped or seen. */
  isolation: isolationRecordSchema.optional(),
});
/** What a run left behind, parsed once. Checks read nothing else. */
export type Evidence = z.infer<typeof evidenceSchema>;
