import * as z from 'zod';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import { RALPH_FILES } from '../../domain/evidence/ralph-words.js';
import { listDiagnostics } from '../../kinds/ralph/evidence/diagnostics-folders.js';
import type { EventsFile } from '../../kinds/ralph/evidence/events.js';
import { type LoggedPrompt, readPromptLog } from '../../kinds/ralph/evidence/prompt-log.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import { type FoundConfig, LIMITS } from './facts.js';

/** The files from which Ralph reads its prompt by default. */
export const PROMPT_FILES = ['PROMPT.md', 'prompt.md'];

/** A start of a loop in Ralph's history. */
export interface LoopStart {
  readonly kind: string;
  readonly prompt?: string | undefined;
}

const historySchema = z
  .object({ type: z.object({ kind: z.string(), prompt: z.string().optional() }) })
  .transform(({ type }) => type);

/** Reads the starts of loops in a folder, with their prompts. */
export async function readStarts(reader: WorkspaceReader): Promise<LoopStart[]> {
  const file = RALPH_FILES.history;
  const { records } = parseJsonLines((await reader.read(file)) ?? '', file, historySchema);
  return records.filter(({ kind }) => ['loop_started', 'loop_resumed'].includes(kind));
}

/** Finds the prompt of the run in Ralph's history, or else the prompt that a new run would use. */
export async function findPrompt(
  reader: WorkspaceReader,
  { prompt: inline, promptFile }: FoundConfig,
  starts: readonly LoopStart[],
): Promise<{ readonly prompt: string; readonly gaps: readonly string[] }> {
  const files = [...(promptFile === null ? [] : [promptFile]), ...PROMPT_FILES];
  const texts = await Promise.all(files.map((name) => reader.read(name, LIMITS.sourceBytes)));
  const lying = inline ?? texts.find((text) => text !== null) ?? null;
  const used = starts.findLast(({ prompt }) => prompt !== undefined)?.prompt ?? lying;
  if (used === null || used.trim() === '')
    return { prompt: 'Do it.', gaps: ['The folder has no prompt; the draft uses "Do it." instead.'] };
  const changed = lying !== null && lying.trim() !== used.trim();
  const isCut = used.length > LIMITS.sourceBytes || files.some((name) => reader.cut.has(name));
  return {
    prompt: used.slice(0, LIMITS.sourceBytes).trim(),
    gaps: [
      ...(changed ? ['The prompt is the one of the run; the prompt file has changed since.'] : []),
      ...(isCut
        ? [`The prompt is longer than ${LIMITS.sourceBytes} bytes; the draft has only its beginning.`]
        : []),
    ],
  };
}

const NO_PROMPT_LOG =
  'The folder does not show the prompts and the active hats. Ralph keeps them if RALPH_DIAGNOSTICS=1 is set.';

/** Finds the prompts of this run. Ignores a log of an earlier run, which remains if diagnostics are off now. */
export async function findPromptLog(
  folder: string,
  reader: WorkspaceReader,
  { durations }: EventsFile,
  objective: string,
): Promise<{ readonly prompts: readonly LoggedPrompt[]; readonly gaps: readonly string[] }> {
  const prompts = await readPromptLog(await listDiagnostics(folder, new Date(0)), reader);
  if (prompts.length === 0) return { prompts, gaps: durations.size === 0 ? [] : [NO_PROMPT_LOG] };
  const [line = ''] = objective.split('\n');
  const fits = prompts.some(({ prompt }) => prompt.includes(line.trim())) && prompts.length >= durations.size;
  return fits ? { prompts, gaps: [] } : { prompts: [], gaps: [NO_PROMPT_LOG] };
}
