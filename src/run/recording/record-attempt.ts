import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecordedInput } from '../../agent/recorded.js';
import { BACKENDS } from '../../backends/index.js';
import type { AttemptFinished } from '../../domain/attempt.js';
import { FORMATS } from '../../domain/common/formats.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { Evidence, Iteration } from '../../domain/evidence/evidence.js';
import { endsOfIterations, textBlocks } from '../../domain/evidence/facts.js';
import {
  type AgentRecording,
  type Deed,
  RECORDING_FILE,
  type RecordedFile,
} from '../../domain/recording/recording.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { replaceFile } from '../../exec/files/plain-file.js';
import { REDACTED } from '../../exec/redact/scanner-for.js';
import { redactText } from '../../exec/redact.js';
import type { Attempt } from '../../lane/job.js';
import type { Executed } from '../../lane/workbench.js';
import { createReader, type WorkspaceReader } from '../../workspace/read-inside.js';
import { hashScenario } from '../planned.js';

const MAX_RECORDING = 16 * 1024 * 1024;

/** What a recording says about its attempt. */
interface Recorded {
  readonly job: Pick<Attempt['job'], 'scenario' | 'backend' | 'attempt'>;
  readonly settings: Pick<Attempt['settings'], 'run' | 'target'>;
  readonly places: Pick<Attempt['places'], 'artifacts'>;
}

/** What an attempt left. */
interface Left extends Pick<Executed, 'evidence' | 'secrets'> {
  readonly workspace: Pick<Executed['workspace'], 'path'>;
}

/**
 * Writes what the agent was sent and did, before its workspace is removed. Returns the SHA-256 of the file, or why there
 * is none: the attempt was paid, and its result must not be lost.
 */
export async function recordAttempt(
  attempt: Recorded,
  context: ScenarioContext,
  executed: Left,
): Promise<Pick<AttemptFinished, 'recordingSha256' | 'notRecorded'>> {
  try {
    return { recordingSha256: await writeRecording(attempt, context, executed) };
  } catch (error) {
    return { notRecorded: redactText(messageOf(error), executed.secrets) };
  }
}

async function writeRecording(attempt: Recorded, context: ScenarioContext, executed: Left): Promise<string> {
  const recording = await describeRecording(attempt, context, executed);
  const whole = JSON.stringify(recording, null, 2);
  const text =
    whole.length <= MAX_RECORDING ? whole : JSON.stringify(tooLarge(recording, whole.length), null, 2);
  await replaceFile(join(attempt.places.artifacts, RECORDING_FILE), `${text}\n`);
  return createHash('sha256').update(`${text}\n`).digest('hex');
}

async function describeRecording(
  { job, settings }: Recorded,
  { nonce, numbers, second, lane }: ScenarioContext,
  { evidence, workspace, secrets }: Left,
): Promise<AgentRecording> {
  const { scenario, backend, attempt } = job;
  const { hash } = hashScenario(scenario, backend, lane);
  return {
    format: FORMATS.recording.format,
    runId: settings.run.id,
    scenarioId: scenario.id,
    backend,
    attempt,
    at: evidence.startedAt,
    target: settings.target,
    lane,
    drawn: { nonce, numbers, second },
    ...(hash === undefined ? {} : { scenarioHash: hash }),
    workspace: workspace.path,
    calls: evidence.iterations.map((iteration) => ({
      iteration: iteration.number,
      hat: iteration.hat,
      prompt: iteration.prompt ?? '',
      deeds: deedsOf(iteration),
    })),
    files: await readLeftFiles(evidence, workspace.path, secrets),
    obstacles: findObstacles(job, evidence),
  };
}

function tooLarge({ calls, ...rest }: AgentRecording, size: number): AgentRecording {
  const obstacle = `The recording has ${size} characters, and at most ${MAX_RECORDING} are kept.`;
  return { ...rest, calls: [], files: [], obstacles: [obstacle, ...rest.obstacles] };
}

/** Puts the texts and the tool calls of an answer back in their order. */
function deedsOf(iteration: Iteration): Deed[] {
  const { toolCalls, order } = iteration;
  const texts = textBlocks(iteration).map((text): Deed => ({ kind: 'said', text }));
  const uses = toolCalls.map(
    ({ name, input, result, isError }): Deed => ({
      kind: 'used',
      tool: name,
      input: readRecordedInput(input),
      result: result ?? '',
      isError,
    }),
  );
  if (order === undefined) return [...uses, ...texts];
  return order.flatMap((kind) => (kind === 'text' ? texts.shift() : uses.shift()) ?? []);
}

/** Says why an attempt cannot be replayed, one sentence for each reason. */
function findObstacles({ scenario, backend }: Recorded['job'], evidence: Evidence): string[] {
  if (scenario.kind !== 'ralph') return ['It is a conversation: Ralph has no part in it.'];
  const { whyNotReplayed } = BACKENDS[backend];
  if (whyNotReplayed !== null) return [whyNotReplayed];
  const sessions = evidence.errands.some(({ stdout }) => /^ ITERATION \d+ \|/m.test(stdout));
  return [
    ...(sessions ? ['Its agent also worked in an earlier or a later session, which is not recorded.'] : []),
    ...evidence.iterations.flatMap(findObstacle),
  ];
}

function findObstacle({ number, prompt, said, saidCut, form, cli, toolCalls }: Iteration): string[] {
  if (prompt === null) return [`Ralph logged no prompt for iteration ${number}.`];
  if (prompt.includes(REDACTED)) return [`A credential was removed from the prompt of iteration ${number}.`];
  if (form === 'text')
    return said === '' && toolCalls.length === 0
      ? [`Nothing is known about what the agent did in iteration ${number}.`]
      : [`The agent does not say in its output what it did in iteration ${number}.`];
  if (saidCut === true) return [`What the agent said in iteration ${number} was too long to keep.`];
  if (cli?.whole === false)
    return [`The answer in iteration ${number} is not whole: the agent was ended, or its service failed.`];
  return [];
}

const MOST_FILES = 200;
const MOST_BYTES = 4 * 1024 * 1024;

/** Reads the files that an attempt changed, with the iteration of the last change. What Ralph keeps itself is left out. */
async function readLeftFiles(
  evidence: Evidence,
  workspace: string,
  secrets: readonly string[],
): Promise<RecordedFile[]> {
  const reader = createReader(workspace, secrets);
  const changed = evidence.files.filter(({ path, change }) => change !== 'unchanged' && !isRalphs(path));
  const files: RecordedFile[] = [];
  let room = MOST_BYTES;
  for (const { path, change } of changed.slice(0, MOST_FILES)) {
    const iteration = await placeChange(evidence, join(workspace, path));
    if (iteration === 'later') continue;
    const content = change === 'deleted' ? GONE : await readContent(reader, path, room);
    if (content.kind === 'text') room -= content.text.length;
    files.push({ path, iteration, content });
  }
  return files;
}

const GONE = { kind: 'gone' } as const;

/** Ralph writes these by itself: when the agent calls it, or when the loop ends. */
const RALPHS_NOTES: ReadonlySet<string> = new Set(['memories.md', 'handoff.md', 'summary.md']);

function isRalphs(path: string): boolean {
  if (!path.startsWith('.ralph/')) return false;
  const note = /^\.ralph\/agent\/([^/]+\.md)$/.exec(path)?.[1];
  return note === undefined || RALPHS_NOTES.has(note);
}

async function readContent(
  reader: WorkspaceReader,
  path: string,
  room: number,
): Promise<RecordedFile['content']> {
  const found = await reader.readWhole(path);
  switch (found.kind) {
    case 'absent':
      return GONE;
    case 'unknown':
      return { kind: 'unknown', why: found.why };
    case 'whole': {
      const { text, scrubbed } = found;
      if (scrubbed) return { kind: 'unknown', why: 'a credential was removed from it' };
      if (text.length > room) return { kind: 'unknown', why: 'the files of the recording are too large' };
      if (text.includes('\uFFFD')) return { kind: 'unknown', why: 'it is not a text' };
      return { kind: 'text', text };
    }
    default:
      return found satisfies never;
  }
}

/**
 * Finds the iteration in which a file was changed last; null if Ralph recorded no ends of iterations, `later` if the last
 * iteration was over.
 */
async function placeChange({ events, iterations }: Evidence, path: string): Promise<number | null | 'later'> {
  const changedAt = await lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    (error: unknown) => {
      if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
      throw error;
    },
  );
  const ends = endsOfIterations(events);
  if (changedAt === null) return null;
  const end = ends.find(({ timestamp }) => Date.parse(timestamp) >= Math.floor(changedAt));
  if (end !== undefined) return end.iteration;
  const last = iterations.at(-1)?.number ?? null;
  return ends.some(({ iteration }) => iteration === last) ? 'later' : last;
}
