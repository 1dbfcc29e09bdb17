import { join } from 'node:path';
import * as z from 'zod';
import { readPrompt } from '../../agent/engine/prompt-view.js';
import type { Step } from '../../domain/agent-script.js';
import { textBetween } from '../../domain/common/between.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import type { RalphConfig } from '../../kinds/ralph/config.js';
import { SCRATCHPAD } from '../../kinds/ralph/evidence/collect.js';
import type { LoggedPrompt } from '../../kinds/ralph/evidence/prompt-log.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import { shorten } from './limits.js';
import type { Timeline } from './timeline.js';

/** The notes of the run, and their last line in the common scratchpad. */
export interface FoundNotes {
  readonly steps: readonly { readonly iteration: number; readonly step: Step }[];
  readonly lastNote: string | null;
}

/** The content of a scratchpad at the end of an iteration. */
interface NotesState {
  readonly iteration: number;
  readonly path: string;
  readonly text: string;
}

interface NotesTraces {
  readonly config: RalphConfig;
  readonly prompts: readonly LoggedPrompt[];
  readonly timeline: Timeline | null;
}

/** Finds which notes were written in which iteration: the next prompt contains the scratchpad of that time. */
export async function readNotes(
  folder: string,
  reader: WorkspaceReader,
  { config, prompts, timeline }: NotesTraces,
): Promise<FoundNotes> {
  if (timeline === null) return { steps: [], lastNote: null };
  const [common, ...others] = listScratchpads(config);
  const pads = new Map(
    prompts.map(({ iteration, prompt }) => [iteration, readPrompt(prompt).scratchpadPath]),
  );
  const states = prompts.flatMap((prompt) => readShown(prompt, pads));
  for (const path of [common, ...others]) {
    const text = (await reader.read(path))?.trim() ?? '';
    const changed = (await statOrNull(join(folder, path)))?.mtimeMs ?? 0;
    if (text !== '') states.push({ iteration: timeline.at(changed), path, text });
  }
  const steps = compareStates(states, (iteration) => pads.get(iteration) ?? common);
  const last =
    states
      .findLast(({ path }) => path === common)
      ?.text.split('\n')
      .at(-1)
      ?.trim() ?? '';
  const isPlayed = steps.some(({ path }) => path === common) && last !== '';
  return { steps, lastNote: isPlayed ? last : null };
}

const padSchema = z.union([z.string(), z.object({ path: z.string() }).transform(({ path }) => path)]);

/** Lists the common scratchpad, then those of hats. */
function listScratchpads(config: RalphConfig): [string, ...string[]] {
  const core = z.object({ scratchpad: padSchema }).safeParse(config.core);
  const hats = z.record(z.string(), z.looseObject({ scratchpad: padSchema.optional().catch(undefined) }));
  const own = Object.values(hats.safeParse(config.hats).data ?? {}).flatMap(
    ({ scratchpad = [] }) => scratchpad,
  );
  return [core.success ? core.data.scratchpad : SCRATCHPAD, ...new Set(own)];
}

/** Reads the notes in a prompt. An earlier iteration with the same scratchpad wrote them. */
function readShown({ iteration, prompt }: LoggedPrompt, pads: ReadonlyMap<number, string>): NotesState[] {
  const [path, text] = (textBetween(prompt, '<scratchpad path="', '\n</scratchpad>') ?? '').split('">\n', 2);
  if (path === undefined || text === undefined || /["\n]/.test(path)) return [];
  const earlier = [...pads].filter(([number]) => number < iteration);
  const [writer] = earlier.findLast(([, pad]) => pad === path) ?? earlier.at(-1) ?? [0];
  return [{ iteration: writer, path, text: text.trim() }];
}

function compareStates(
  states: readonly NotesState[],
  padOf: (iteration: number) => string,
): (FoundNotes['steps'][number] & { readonly path: string })[] {
  const known = new Map<string, string>();
  return states.flatMap((state) => {
    const { iteration, path, text } = state;
    const before = known.get(path) ?? '';
    known.set(path, text);
    // Notes in the first prompt are from before the run. Ralph clears them when a new run starts.
    if (text === '' || text === before || iteration === 0) return [];
    return [{ iteration, path, step: noteStep(state, before, padOf(iteration)) }];
  });
}

function noteStep({ path, text }: NotesState, before: string, pad: string): Step {
  if (!text.startsWith(before)) return { do: 'write', path, text: `${shorten(text)}\n` };
  const added = shorten(text.slice(before.length).trim());
  return path === pad ? { do: 'note', text: added } : { do: 'append', path, text: `${added}\n` };
}
