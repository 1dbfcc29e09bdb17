import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import { readPrompt } from '../../agent/engine/prompt-view.js';
import type { Step } from '../../domain/agent-script.js';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { EventRecord } from '../../domain/evidence/evidence.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { type EventsFile, readEvents } from '../../kinds/ralph/evidence/events.js';
import { type LoggedPrompt, readPromptLog } from '../../kinds/ralph/evidence/prompt-log.js';
import { createReader, type WorkspaceReader } from '../../workspace/read-inside.js';
import { type AgentOutput, readAgentOutput } from './agent-output.js';
import { findNamedFiles } from './arranged-files.js';
import { type FoundConfig, readConfig } from './config.js';
import type { ActiveHat, FolderFacts, PlayedIteration, SeenEvent } from './facts.js';
import { LIMITS, shorten } from './limits.js';
import { readMemories } from './memories.js';
import { readNotes } from './notes.js';
import { readTasks } from './tasks.js';
import { readTimeline, type Timeline } from './timeline.js';
import { findWritten } from './written-files.js';

const PROMPT_FILES = ['PROMPT.md', 'prompt.md'];
const ALWAYS: Date = new Date(0);

/** Reads what a run of Ralph left in a folder. Credentials are scrubbed from everything that is read. */
export async function readFolder(path: string, secrets: readonly string[]): Promise<FolderFacts> {
  const folder = await requireFolder(path);
  const reader = withNewestEvents(folder, createReader(folder, secrets));
  const found = await readConfig(reader);
  const history = await readHistory(reader);
  const { prompt, gaps: promptGaps } = await findPrompt(reader, found, history);
  const file = await readEvents(reader, ALWAYS);
  const { prompts, gaps: logGaps } = await findPromptLog(folder, reader, file, prompt);
  const timeline = readTimeline(
    file.events,
    prompts.map(({ iteration }) => iteration),
  );
  const own = new Set([
    'ralph.yml',
    'ralph.yaml',
    ...PROMPT_FILES,
    ...(found.promptFile ? [found.promptFile] : []),
  ]);
  const written =
    timeline === null ? { files: [], gaps: [NO_RUN] } : await findWritten(folder, reader, timeline, own);
  for (const { path: name } of written.files) own.add(name);
  const named = await findNamedFiles(folder, reader, found.config, own);
  const memories = await readMemories(reader, timeline);
  const tasks = await readTasks(reader, timeline);
  const notes =
    timeline === null
      ? { steps: [], lastNote: null }
      : await readNotes(folder, reader, { config: found.config, prompts, timeline });
  const output = await readAgentOutput(folder, reader);
  const timed: TimedStep[] = [
    ...written.files.map(({ path: name, text, at }) => ({ at, step: writeStep(name, text) })),
    ...memories.added,
    ...tasks.steps,
  ];
  return {
    name: basename(folder),
    config: found.config,
    promise: found.promise,
    companions: found.companions,
    prompt,
    files: { ...named.files, ...memories.before, ...tasks.before },
    iterations:
      timeline === null ? [] : playIterations({ timeline, file, prompts, output, timed, notes, found }),
    termination: file.termination,
    events: file.events.filter(isOfAgent).map(toSeen),
    written: written.files.map(({ path: name, text }) => ({ path: name, line: tellingLine(text) })),
    lastNote: notes.lastNote,
    memories: memories.added.map(({ memory }) => memory),
    tasks: tasks.touched.map(({ id, title, status }) => ({ id, title, status })),
    gaps: [
      ...found.gaps,
      ...promptGaps,
      ...logGaps,
      ...named.gaps,
      ...written.gaps,
      ...tasks.gaps,
      ...(timeline !== null && output.length === 0 ? [NOTHING_SAID] : []),
      ...(timeline !== null && file.termination === null ? [NO_END] : []),
      ...explainEnd(file.termination?.reason),
      ...(history.at(-1)?.kind === 'loop_resumed' ? [RESUMED] : []),
      ...((timeline?.numbers.length ?? 0) > LIMITS.iterations ? [TOO_LONG] : []),
    ],
  };
}

/** Endings that come of what the draft plays; what led to others is outside of the folder. */
const PLAYED_ENDS = ['completed', 'max_iterations', 'cancelled', 'loop_stale', 'consecutive_failures'];

function explainEnd(reason: string | undefined): string[] {
  if (reason === undefined || PLAYED_ENDS.includes(reason)) return [];
  return [`What ended the loop with the reason ${reason}: the draft does not make it happen.`];
}

const NO_RUN =
  'The folder has no events of a run (.ralph/events-*.jsonl): what the agent does is yours to write.';
const NO_END = 'The events have no end of the loop: it was killed, or still ran.';
const NOTHING_SAID = 'What the agent said: Ralph keeps it in no file.';
const NO_PROMPT_LOG =
  'Which hat was active, and what the prompts were: run Ralph with RALPH_DIAGNOSTICS=1 to keep them.';
const RESUMED = 'The run went on from an earlier one (--continue): the draft starts anew.';
const TOO_LONG = `The run took more than ${LIMITS.iterations} iterations: the draft plays the first ones.`;

interface TimedStep {
  readonly at: number;
  readonly step: Step;
}

async function requireFolder(path: string): Promise<string> {
  const folder = resolve(path);
  const stat = await statOrNull(folder);
  if (stat?.isDirectory() !== true)
    throw new KnownError(
      `--from ${path}: expected a folder, found ${stat === null ? 'nothing' : 'a file'}.`,
      {
        hint: 'Name the folder in which `ralph run` was called.',
      },
    );
  const names = await readdir(folder);
  if (names.some((name) => ['ralph.yml', 'ralph.yaml', '.ralph', ...PROMPT_FILES].includes(name)))
    return folder;
  const isInner = names.includes('current-events') || names.includes('history.jsonl');
  throw new KnownError(
    `--from ${path}: expected ralph.yml, PROMPT.md or .ralph/ in it, found ${isInner ? 'what lies in .ralph/' : 'none of them'}.`,
    { hint: `Name the folder ${isInner ? 'above it' : 'in which `ralph run` was called'}.` },
  );
}

/** A reader for which the newest events file is the current one where the marker is missing or leads nowhere. */
function withNewestEvents(folder: string, reader: WorkspaceReader): WorkspaceReader {
  const marker = '.ralph/current-events';
  return {
    ...reader,
    async read(path, maxBytes) {
      const text = await reader.read(path, maxBytes);
      if (path !== marker) return text;
      if (text !== null && (await reader.read(text.trim(), 1)) !== null) return text;
      const names = await readdir(join(folder, '.ralph')).catch((error: unknown) => {
        if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
        throw error;
      });
      const newest = names
        .filter((name) => /^events-[\d-]+\.jsonl$/.test(name))
        .sort()
        .at(-1);
      return newest === undefined ? text : `.ralph/${newest}`;
    },
  };
}

const historySchema = z
  .object({ type: z.object({ kind: z.string(), prompt: z.string().optional() }) })
  .transform(({ type }) => type);

async function readHistory(reader: WorkspaceReader) {
  const file = '.ralph/history.jsonl';
  const { records } = parseJsonLines((await reader.read(file)) ?? '', file, historySchema);
  return records.filter(({ kind }) => ['loop_started', 'loop_resumed'].includes(kind));
}

/** The prompt of the run as Ralph noted it; or else the one that a new run would take. */
async function findPrompt(
  reader: WorkspaceReader,
  { prompt: inline, promptFile }: FoundConfig,
  history: readonly { readonly prompt?: string | undefined }[],
): Promise<{ readonly prompt: string; readonly gaps: readonly string[] }> {
  const files = [...(promptFile === null ? [] : [promptFile]), ...PROMPT_FILES];
  const texts = await Promise.all(files.map((name) => reader.read(name, LIMITS.sourceBytes)));
  const lying = inline ?? texts.find((text) => text !== null) ?? null;
  const used = history.findLast(({ prompt }) => prompt !== undefined)?.prompt ?? lying;
  if (used === null || used.trim() === '')
    return { prompt: 'Do it.', gaps: ['The folder has no prompt: "Do it." stands in for it.'] };
  const changed = lying !== null && lying.trim() !== used.trim();
  return {
    prompt: used.slice(0, LIMITS.sourceBytes).trim(),
    gaps: changed ? ['The prompt is the one that the run got; the prompt file says something else now.'] : [],
  };
}

/** The prompts of this run: a log of an earlier one, left by diagnostics that are off now, would mislead. */
async function findPromptLog(
  folder: string,
  reader: WorkspaceReader,
  { durations }: EventsFile,
  objective: string,
): Promise<{ readonly prompts: readonly LoggedPrompt[]; readonly gaps: readonly string[] }> {
  const prompts = await readPromptLog(folder, reader, ALWAYS);
  if (prompts.length === 0) return { prompts, gaps: durations.size === 0 ? [] : [NO_PROMPT_LOG] };
  const [line = ''] = objective.split('\n');
  const fits = prompts.some(({ prompt }) => prompt.includes(line.trim())) && prompts.length >= durations.size;
  return fits ? { prompts, gaps: [] } : { prompts: [], gaps: [NO_PROMPT_LOG] };
}

/** What is known of the iterations of a run, from all that it left. */
interface RunTraces {
  readonly timeline: Timeline;
  readonly file: EventsFile;
  readonly prompts: readonly LoggedPrompt[];
  readonly output: readonly AgentOutput[];
  readonly timed: readonly TimedStep[];
  readonly notes: { readonly steps: readonly { readonly iteration: number; readonly step: Step }[] };
  readonly found: FoundConfig;
}

function playIterations(run: RunTraces): PlayedIteration[] {
  const { timeline, file, prompts, output, timed, notes, found } = run;
  const emitted = placeEvents(file.events, timeline);
  const failing = file.termination?.reason === 'consecutive_failures' ? found.patience : 0;
  return timeline.numbers.slice(0, LIMITS.iterations).map((number, index) => {
    const own = output.find(({ iteration }) => iteration === number);
    const steps: Step[] = [
      ...(own?.said ?? []).map((text): Step => ({ do: 'say', text })),
      ...timed.filter(({ at }) => timeline.at(at) === number).map(({ step }) => step),
      ...notes.steps.filter(({ iteration }) => iteration === number).map(({ step }) => step),
      ...emitted.filter(({ iteration }) => iteration === number).map(({ event }) => emitStep(event)),
    ];
    const isLast = number === timeline.numbers.at(-1);
    const completes =
      isLast &&
      file.termination?.reason === 'completed' &&
      !steps.some((step) => declares(step, found.promise));
    return {
      number,
      hat: readHat(prompts.find(({ iteration }) => iteration === number)),
      steps: completes ? [...steps, { do: 'complete' }] : steps,
      failed: index >= timeline.numbers.length - failing,
      remarks: (own?.calls ?? []).slice(0, LIMITS.remarks),
    };
  });
}

/** Rows of `ralph emit` have no iteration: they belong to the one whose summary comes next. */
function placeEvents(events: readonly EventRecord[], { numbers }: Timeline) {
  const [first = 1] = numbers;
  const last = numbers.at(-1) ?? first;
  let current = first;
  const placed: { iteration: number; event: EventRecord }[] = [];
  for (const event of events) {
    if (isOfAgent(event)) placed.push({ iteration: event.iteration ?? current, event });
    if (event.source === 'ralph' && event.topic === 'iteration.summary' && event.iteration !== null)
      current = Math.min(event.iteration + 1, last);
  }
  return placed;
}

function isOfAgent({ source }: EventRecord): boolean {
  return source === 'agent';
}

function emitStep({ topic, payload, iteration }: EventRecord): Step {
  const text = payload === null ? {} : { payload: shorten(payload) };
  // Ralph adds the iteration to those that it read in what the agent said.
  return { do: 'emit', topic, by: iteration === null ? 'command' : 'tag', ...text };
}

function toSeen({ topic, payload }: EventRecord): SeenEvent {
  const cut = /\.\.\. \[truncated, \d+ chars total\]$/.test(payload ?? '');
  return { topic, payload, whole: !cut && (payload ?? '').length <= LIMITS.textLength };
}

function declares(step: Step, promise: string): boolean {
  if (step.do === 'emit') return step.topic === promise;
  return step.do === 'say' && step.text.trimEnd().split('\n').at(-1)?.trim() === promise;
}

function readHat(logged: LoggedPrompt | undefined): ActiveHat | null {
  if (logged === undefined) return null;
  const [name = null] = readPrompt(logged.prompt).hats;
  return { id: logged.hat, name };
}

function writeStep(path: string, text: string): Step {
  return { do: 'write', path, text };
}

function tellingLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return (lines.find((line) => line !== '') ?? '').slice(0, 80);
}
