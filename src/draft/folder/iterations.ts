import { join } from 'node:path';
import * as z from 'zod';
import { readPrompt } from '../../agent/engine/prompt-view.js';
import type { Step } from '../../domain/agent-script.js';
import { parseJsonLines } from '../../domain/common/json-lines.js';
import type { EventRecord } from '../../domain/evidence/evidence.js';
import { isSummary } from '../../domain/evidence/ralph-words.js';
import type { EventsFile } from '../../kinds/ralph/evidence/events.js';
import type { LoggedPrompt } from '../../kinds/ralph/evidence/prompt-log.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import {
  type ActiveHat,
  type FoundConfig,
  LIMITS,
  type PlayedIteration,
  type SeenEvent,
  shorten,
} from './facts.js';
import { listNames } from './list-names.js';

/** Everything a run left that shows its iterations. */
interface RunTraces {
  /** The numbers of the iterations, in order. */
  readonly numbers: readonly number[];
  readonly file: EventsFile;
  readonly prompts: readonly LoggedPrompt[];
  /** What the agent said, by iteration. */
  readonly texts: ReadonlyMap<number, readonly string[]>;
  readonly found: FoundConfig;
}

const textSchema = z.object({ type: z.literal('text'), iteration: z.number(), text: z.string() });

/**
 * Reads what the agent said, from the newest diagnostics that have it. Ralph 2.10.1 defines the format but never writes
 * the file; other versions did.
 */
export async function readTexts(folder: string, reader: WorkspaceReader): Promise<RunTraces['texts']> {
  const diagnostics = '.ralph/diagnostics';
  const texts = new Map<number, string[]>();
  for (const name of (await listNames(join(folder, diagnostics))).sort().reverse()) {
    const file = `${diagnostics}/${name}/agent-output.jsonl`;
    const rows = await reader.read(file);
    if (rows === null) continue;
    for (const { iteration, text } of parseJsonLines(rows, file, textSchema).records) {
      if (text.trim() !== '') texts.set(iteration, [...(texts.get(iteration) ?? []), shorten(text)]);
    }
    break;
  }
  return texts;
}

/** Lists the numbers of the iterations that Ralph's own rows or the logged prompts show. */
export function listIterations(
  events: readonly EventRecord[],
  prompts: readonly { readonly iteration: number }[],
): number[] {
  const ended = events.filter(isSummary).flatMap(({ iteration }) => (iteration === null ? [] : [iteration]));
  const numbers = new Set([...prompts.map(({ iteration }) => iteration), ...ended]);
  return [...numbers].sort((one, other) => one - other);
}

/** Collects what the agent said and emitted in each iteration. */
export function playIterations(run: RunTraces): PlayedIteration[] {
  const { numbers, file, prompts, texts, found } = run;
  const emitted = placeEvents(file.events, numbers);
  const failing = file.termination?.reason === 'consecutive_failures' ? found.patience : 0;
  return numbers.slice(0, LIMITS.iterations).map((number, index) => {
    const said = texts.get(number) ?? [];
    const steps: Step[] = [
      ...said.map((text): Step => ({ do: 'say', text })),
      ...emitted
        .filter(({ iteration, event }) => iteration === number && !isSaid(event, said))
        .map(({ event }) => emitStep(event)),
    ];
    const isLast = number === numbers.at(-1);
    const completes =
      isLast &&
      file.termination?.reason === 'completed' &&
      !steps.some((step) => declares(step, found.promise));
    return {
      number,
      hat: readHat(prompts.find(({ iteration }) => iteration === number)),
      steps: completes ? [...steps, { do: 'complete' }] : steps,
      failed: index >= numbers.length - failing,
    };
  });
}

/** Rows of `ralph emit` have no iteration; they belong to the one whose summary comes next. */
function placeEvents(events: readonly EventRecord[], numbers: readonly number[]) {
  const [first = 1] = numbers;
  const last = numbers.at(-1) ?? first;
  let current = first;
  const placed: { iteration: number; event: EventRecord }[] = [];
  for (const event of events) {
    if (isOfAgent(event)) placed.push({ iteration: event.iteration ?? current, event });
    if (isSummary(event) && event.iteration !== null) current = Math.min(event.iteration + 1, last);
  }
  return placed;
}

/** Whether the agent's text already contains the event as a tag. */
function isSaid({ topic, iteration }: EventRecord, said: readonly string[]): boolean {
  return iteration !== null && said.some((text) => text.includes(`<event topic="${topic}"`));
}

function isOfAgent({ source }: EventRecord): boolean {
  return source === 'agent';
}

function emitStep({ topic, payload, iteration }: EventRecord): Step {
  const text = payload === null ? {} : { payload: shorten(payload) };
  // Ralph adds the iteration only to events that it found in the agent's text.
  return { do: 'emit', topic, by: iteration === null ? 'command' : 'tag', ...text };
}

/** Lists the events that agents emitted, in order. Ralph's own rows have only the beginning of a long payload. */
export function listEmitted(events: readonly EventRecord[]): SeenEvent[] {
  return events.filter(isOfAgent).map(({ topic, payload }) => {
    const isCut = /\.\.\. \[truncated, \d+ chars total\]$/.test(payload ?? '');
    return { topic, payload, whole: !isCut && (payload ?? '').length <= LIMITS.textLength };
  });
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
