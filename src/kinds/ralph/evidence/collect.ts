import { Readable } from 'node:stream';
import * as z from 'zod';
import { parseJsonLines } from '../../../domain/common/json-lines.js';
import { compareVersions } from '../../../domain/common/versions.js';
import type {
  CutPart,
  ErrandRecord,
  Evidence,
  LogLine,
  Termination,
} from '../../../domain/evidence/evidence.js';
import { RALPH_FILES } from '../../../domain/evidence/ralph-words.js';
import type { Readiness } from '../../../domain/evidence/readiness.js';
import type { ServiceError } from '../../../domain/evidence/service-error.js';
import { joinHeadAndTail, readCapture } from '../../../exec/process/capture.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import type { AttemptFacts } from '../../../lane/workbench.js';
import { createReader, type WorkspaceReader } from '../../../workspace/read-inside.js';
import {
  describeExit,
  readFiles,
  readInvocations,
  toCapturedText,
} from '../../../workspace/runs/run-remains.js';
import { findContradictions } from './contradictions.js';
import { listDiagnostics } from './diagnostics-folders.js';
import { ROW_FIELDS } from './event-row.js';
import { findNamedEvents, readEvents } from './events.js';
import { assembleIterations, type Endings } from './iterations.js';
import { parseMemories } from './memory-text.js';
import { findUnknownLog, PROMPT_LOG, readPromptLog } from './prompt-log.js';
import { type IterationOutput, readTranscript } from './transcript.js';

/** The facts of a loop that are not in its workspace. */
export interface LoopFacts extends AttemptFacts {
  readonly command: readonly string[];
  readonly configYaml: string;
  readonly promptText: string;
  /** The word that ends the loop; null if nobody knows. */
  readonly promise: string | null;
  readonly result: ProcessResult;
  readonly scratchpadBefore: string | null;
  /** The version of Ralph, as it prints it. */
  readonly version: string;
  readonly readiness: Readiness | null;
}

/** Parses everything that a run of Ralph left behind. */
export async function collectEvidence(run: LoopFacts): Promise<Evidence> {
  const { result, secrets } = run;
  const reader = createReader(run.workspace, secrets);
  const named = await findNamedEvents(run.workspace, joinHeadAndTail(result.stdout));
  const eventsFile = await readEvents(reader, run.startedAt, named);
  const { path: eventsPath, events, leftOut, earlierTopics, malformed, termination, durations } = eventsFile;
  const transcript = await readTranscript(readCapture(result.stdout));
  const diagnostics = await listDiagnostics(run.workspace, run.startedAt);
  const log = await readRalphLog(diagnostics, reader);
  const invocations = run.agentLog === null ? [] : await readInvocations(run.agentLog, secrets);
  const prompts = await readPromptLog(diagnostics, reader, invocations);
  const { iterations, usage, errors, serviceErrors } = await assembleIterations(
    transcript,
    prompts,
    recordsSummaries(run.version) ? { durations } : readFooters(transcript, termination),
  );
  const troubled = [...(await readEarlierErrors(run.errands)), ...serviceErrors];
  const history = await readHistory(reader);
  const tasks = await readTasks(reader);
  const memories = parseMemories((await reader.read(RALPH_FILES.memories)) ?? '');
  const scratchpad = { before: run.scratchpadBefore, after: await reader.read(RALPH_FILES.scratchpad) };
  const contradictions = findContradictions({
    ...{ events: eventsFile, prompts, transcript, invocations },
    isWithin: (at) => isWithin(Date.parse(at), run),
    recordsSummaries: recordsSummaries(run.version),
  });
  const exit = describeExit(result, run.timeoutSeconds);
  const unknown = describeUnknownRecords(
    {
      events: eventsFile.unknownForm,
      history: history.unknownForm,
      promptLog: prompts.length > 0 ? null : await findUnknownLog(diagnostics, reader),
    },
    exit,
  );
  const cut = new Set([...reader.cut].flatMap((path) => partIn(path, eventsPath) ?? []));
  if (leftOut > 0) cut.add('events');
  return {
    command: [...run.command],
    cwd: run.workspace,
    configYaml: run.configYaml,
    promptText: run.promptText,
    ...(run.promise === null ? {} : { promise: run.promise }),
    startedAt: run.startedAt.toISOString(),
    durationSeconds: result.durationMs / 1000,
    exit,
    stdout: toCapturedText(result.stdout),
    stderr: toCapturedText(result.stderr),
    termination,
    iterations,
    events,
    malformedLines: [...malformed, ...history.malformed, ...tasks.malformed],
    history: history.records,
    scratchpad,
    memories,
    tasks: tasks.records,
    ...(await readFiles(createReader(run.workspace, secrets), run)),
    ...(leftOut === 0 ? {} : { eventsLeftOut: leftOut }),
    ...(earlierTopics.length === 0 ? {} : { earlierTopics }),
    ...(cut.size === 0 ? {} : { cut: [...cut] }),
    ...(unknown.length === 0 ? {} : { unknownRecords: unknown }),
    ...(contradictions.length === 0 ? {} : { contradictions }),
    ...(log.length === 0 ? {} : { log }),
    usage,
    backendErrors: errors.slice(0, 50),
    ...(troubled.length === 0 ? {} : { serviceErrors: troubled.slice(0, 50) }),
    invocations,
    requests: run.requests.map(({ received: _, ...request }) => request),
    errands: [...run.errands],
    leftBehind: [...result.leftBehind, ...result.survivors].map(({ pid, command }) => ({ pid, command })),
    readiness: run.readiness,
  };
}

/** Whether a moment is between the start and the end of the judged run. */
function isWithin(moment: number, { startedAt, result }: LoopFacts): boolean {
  return moment >= startedAt.getTime() && moment <= startedAt.getTime() + result.durationMs;
}

/** The first version that writes an `iteration.summary` record for each finished iteration. */
const SUMMARIES_SINCE = '2.10.0';

/** Whether a missing summary means that the iteration did not finish. A version that we cannot read is a new one. */
function recordsSummaries(version: string): boolean {
  return (compareVersions(version, SUMMARIES_SINCE) ?? 0) >= 0;
}

/**
 * Returns the durations that an older Ralph prints below each finished iteration. The terminal interface and `--rpc` print
 * none: there, a loop that ended with a record has finished all its iterations, because Ralph ends loops between them.
 */
function readFooters(transcript: readonly IterationOutput[], termination: Termination | null): Endings {
  const durations = new Map(
    transcript.flatMap(({ number, seconds }) => (seconds === undefined ? [] : [[number, seconds]])),
  );
  return { durations, allFinished: termination !== null && durations.size === 0 };
}

/** Reads the errors of the service in the sessions before the judged run: as if in iteration 0, before all others. */
async function readEarlierErrors(errands: readonly ErrandRecord[]): Promise<ServiceError[]> {
  const found: ServiceError[] = [];
  for (const { stdout } of errands.filter(({ when }) => when === 'before')) {
    const transcript = await readTranscript(Readable.from([Buffer.from(stdout)]));
    const { serviceErrors } = await assembleIterations(transcript, [], { durations: new Map() });
    found.push(...serviceErrors);
  }
  return found.map((error) => ({ ...error, iteration: 0 }));
}

/** Returns the part of the evidence that a file of Ralph holds, if checks look for absent things in it. */
function partIn(path: string, eventsPath: string | null): CutPart | null {
  if (path === eventsPath) return 'events';
  if (path === RALPH_FILES.memories) return 'memories';
  return path.endsWith(`/${PROMPT_LOG}`) ? 'prompts' : null;
}

const historySchema = z
  .object({ type: z.object({ kind: z.string(), reason: z.string().optional() }) })
  .transform(({ type }) => ({ kind: type.kind, reason: type.reason ?? null }));

async function readHistory(reader: WorkspaceReader) {
  const file = RALPH_FILES.history;
  return parseJsonLines((await reader.read(file)) ?? '', file, historySchema);
}

const taskSchema = z.object({ id: z.string(), title: z.string(), status: z.string() });

async function readTasks(reader: WorkspaceReader) {
  const file = RALPH_FILES.tasks;
  return parseJsonLines((await reader.read(file)) ?? '', file, taskSchema);
}

/** What was found in the files that Ralph writes in every run. */
interface Found {
  /** The fields of the rows, if none of them can be read. */
  readonly events: readonly string[] | null;
  readonly history: readonly string[] | null;
  /** The first line of a prompt log in which no prompt can be read. */
  readonly promptLog: string | null;
}

/**
 * Describes records of Ralph in a form that we do not know, such as those of a later version. Nothing can be judged
 * without them. What agents write as well, such as tasks and memories, does not count, nor what a Ralph that panicked left.
 */
export function describeUnknownRecords(
  { events, history, promptLog }: Found,
  exit: Evidence['exit'],
): string[] {
  if (exit.kind === 'exited' && exit.code === PANIC) return [];
  return [
    ...describeRows('the events file', ROW_FIELDS, events),
    ...describeRows('history.jsonl', 'type.kind', history),
    ...(promptLog === null
      ? []
      : [`prompt-log.md begins with "${promptLog.slice(0, 80)}" (expected "# Iteration 1 — ralph")`]),
  ];
}

/** The exit code of a Rust program that panics. */
const PANIC = 101;

function describeRows(file: string, expected: string, found: readonly string[] | null): string[] {
  if (found === null) return [];
  const fields = found.slice(0, 12).map((name) => name.slice(0, 40));
  return [`${file} has rows with ${fields.join(', ') || 'no fields'} (expected ${expected})`];
}

/** A line of `trace.jsonl`. */
const traceSchema = z.object({
  timestamp: z.string(),
  level: z.string(),
  target: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.unknown()).catch({}),
});

const MOST_LINES = 200;
const LONGEST_LINE = 400;
const MAX_TRACE_BYTES = 1024 * 1024;

/** Reads what Ralph logged about itself. Keeps the beginning and the end if that is long. */
export async function readRalphLog(folders: readonly string[], reader: WorkspaceReader): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for (const folder of folders.toReversed()) {
    const path = `${folder}/trace.jsonl`;
    const text = (await reader.read(path, MAX_TRACE_BYTES)) ?? '';
    lines.push(...parseJsonLines(text, path, traceSchema).records.map(describeLine));
  }
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES / 2), ...lines.slice(-MOST_LINES / 2)];
}

function describeLine({ timestamp, level, target, message, fields }: z.infer<typeof traceSchema>): LogLine {
  const facts = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const text = [message, ...facts].join(' ');
  return {
    at: timestamp,
    level,
    module: target,
    text: text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE - 1)}…`,
  };
}
