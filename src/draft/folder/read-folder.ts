import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { type EndReason, RALPH_FILES } from '../../domain/evidence/ralph-words.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { type EventsFile, readEvents } from '../../kinds/ralph/evidence/events.js';
import { createReader, type WorkspaceReader } from '../../workspace/read-inside.js';
import { CONFIG_FILES, readFoundConfig } from './config.js';
import { type FolderFacts, LIMITS } from './facts.js';
import { findPrompt, findPromptLog, type LoopStart, PROMPT_FILES, readStarts } from './find-prompt.js';
import { listEmitted, listIterations, playIterations, readTexts } from './iterations.js';
import { listNames } from './list-names.js';

/** Reads what a run of Ralph left in a folder, and scrubs credentials from all of it. */
export async function readFolder(path: string, secrets: readonly string[]): Promise<FolderFacts> {
  const folder = await requireFolder(path);
  const reader = withNewestEvents(folder, createReader(folder, secrets));
  const found = await readFoundConfig(reader);
  const starts = await readStarts(reader);
  const { prompt, gaps: promptGaps } = await findPrompt(reader, found, starts);
  const file = await readEvents(reader, new Date(0));
  const { prompts, gaps: logGaps } = await findPromptLog(folder, reader, file, prompt);
  const numbers = listIterations(file.events, prompts);
  const texts = await readTexts(folder, reader);
  return {
    ...found,
    name: basename(folder),
    prompt,
    iterations: playIterations({ numbers, file, prompts, texts, found }),
    termination: file.termination,
    events: listEmitted(file.events),
    gaps: [
      ...[found.gaps, promptGaps, logGaps].flat(),
      ...explainRun(numbers, file, texts.size === 0, starts),
    ],
  };
}

/** Lists what the run did not leave behind. */
function explainRun(
  numbers: readonly number[],
  { termination }: EventsFile,
  isMute: boolean,
  starts: readonly LoopStart[],
): string[] {
  if (numbers.length === 0) return [NO_RUN];
  return [
    ONLY_EVENTS,
    ...(isMute ? [NOTHING_SAID] : []),
    ...(starts.at(-1)?.kind === 'loop_resumed' ? [RESUMED] : []),
    ...(numbers.length > LIMITS.iterations ? [TOO_LONG] : []),
    ...(termination === null ? [NO_END] : explainEnd(termination.reason)),
  ];
}

const NO_RUN = 'The folder has no events of a run (.ralph/events-*.jsonl). Write the agent script yourself.';
const ONLY_EVENTS =
  'The draft plays what the agent said and emitted. Add the files, notes, memories and tasks that it wrote.';
const NOTHING_SAID = 'The folder does not show what the agent said: Ralph does not keep it.';
const RESUMED = 'The run continued an earlier one (--continue); the draft starts a new one.';
const TOO_LONG = `The run took more than ${LIMITS.iterations} iterations; the draft plays the first ones.`;
const NO_END = 'The events do not show the end of the loop: Ralph was killed, or is still running.';

/** Endings that the draft can reproduce; the folder does not show what causes the others. */
const PLAYED_ENDS: readonly string[] = [
  'completed',
  'max_iterations',
  'cancelled',
  'loop_stale',
  'consecutive_failures',
] satisfies EndReason[];

function explainEnd(reason: string): string[] {
  if (PLAYED_ENDS.includes(reason)) return [];
  return [`The loop ended with the reason ${reason}; the draft does not reproduce what caused it.`];
}

async function requireFolder(path: string): Promise<string> {
  const folder = resolve(path);
  const stat = await statOrNull(folder);
  if (stat?.isDirectory() !== true) {
    const found = stat === null ? 'nothing' : 'a file';
    throw new KnownError(`--from ${path}: expected a folder, found ${found}.`, { hint: NAME_IT });
  }
  const names = await readdir(folder);
  const isHere = (name: string) => names.includes(name);
  if (['.ralph', ...CONFIG_FILES, ...PROMPT_FILES].some(isHere)) return folder;
  const isInner = ['current-events', 'history.jsonl'].some(isHere);
  throw new KnownError(
    `--from ${path}: expected a folder with ralph.yml, PROMPT.md or .ralph/, found ${isInner ? 'the content of .ralph/' : 'none of them'}.`,
    { hint: isInner ? 'Name its parent folder.' : NAME_IT },
  );
}

const NAME_IT = 'Name the folder in which you ran `ralph run`.';

/** Wraps a reader: if the marker is missing or wrong, the newest events file is the current one. */
function withNewestEvents(folder: string, reader: WorkspaceReader): WorkspaceReader {
  return {
    ...reader,
    async read(path, maxBytes) {
      const text = await reader.read(path, maxBytes);
      if (path !== RALPH_FILES.eventsMarker) return text;
      if (text !== null && (await reader.read(text.trim(), 1)) !== null) return text;
      const newest = (await listNames(join(folder, '.ralph')))
        .filter((name) => /^events-[\d-]+\.jsonl$/.test(name))
        .sort()
        .at(-1);
      return newest === undefined ? text : `.ralph/${newest}`;
    },
  };
}
