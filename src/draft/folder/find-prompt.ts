import * as z from 'zod';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import type { EventsFile } from '../../kinds/ralph/evidence/events.js';
import { type LoggedPrompt, readPromptLog } from '../../kinds/ralph/evidence/prompt-log.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import type { FoundConfig } from './config.js';
import { LIMITS } from './limits.js';

/** What Ralph takes its prompt from where nothing else is said. */
export const PROMPT_FILES = ['PROMPT.md', 'prompt.md'];

/** A start of a loop in Ralph's history. */
export interface LoopStart {
  readonly kind: string;
  readonly prompt?: string | undefined;
}

const historySchema = z
  .object({ type: z.object({ kind: z.string(), prompt: z.string().optional() }) })
  .transform(({ type }) => type);

/** Reads when loops were started in a folder, and with which prompts. */
export async function readStarts(reader: WorkspaceReader): Promise<LoopStart[]> {
  const file = '.ralph/history.jsonl';
  const { records } = parseJsonLines((await reader.read(file)) ?? '', file, historySchema);
  return records.filter(({ kind }) => ['loop_started', 'loop_resumed'].includes(kind));
}

/** The prompt of the run as Ralph noted it; or else the one that a new run would take. */
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
    return { prompt: 'Do it.', gaps: ['The folder has no prompt: "Do it." stands in for it.'] };
  const changed = lying !== null && lying.trim() !== used.trim();
  const isCut = used.length > LIMITS.sourceBytes || files.some((name) => reader.cut.has(name));
  return {
    prompt: used.slice(0, LIMITS.sourceBytes).trim(),
    gaps: [
      ...(changed
        ? ['The prompt is the one that the run got; the prompt file says something else now.']
        : []),
      ...(isCut
        ? [`The prompt is longer than ${LIMITS.sourceBytes} bytes: the draft has a part of it.`]
        : []),
    ],
  };
}

const NO_PROMPT_LOG =
  'Which hat was active, and what the prompts were: run Ralph with RALPH_DIAGNOSTICS=1 to keep them.';

/** The prompts of this run: a log of an earlier one, left by diagnostics that are off now, would mislead. */
export async function findPromptLog(
  folder: string,
  reader: WorkspaceReader,
  { durations }: EventsFile,
  objective: string,
): Promise<{ readonly prompts: readonly LoggedPrompt[]; readonly gaps: readonly string[] }> {
  const prompts = await readPromptLog(folder, reader, new Date(0));
  if (prompts.length === 0) return { prompts, gaps: durations.size === 0 ? [] : [NO_PROMPT_LOG] };
  const [line = ''] = objective.split('\n');
  const fits = prompts.some(({ prompt }) => prompt.includes(line.trim())) && prompts.length >= durations.size;
  return fits ? { prompts, gaps: [] } : { prompts: [], gaps: [NO_PROMPT_LOG] };
}
