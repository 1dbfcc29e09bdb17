import { setImmediate } from 'node:timers/promises';
import { TRANSCRIPT_READERS } from '../../../backends/index.js';
import type { Iteration, Usage } from '../../../domain/evidence/evidence.js';
import type { ServiceError } from '../../../domain/evidence/service-error.js';
import type { LoggedPrompt } from './prompt-log.js';
import type { IterationOutput } from './transcript.js';

export interface Iterations {
  readonly iterations: Iteration[];
  readonly usage: Usage | null;
  readonly errors: string[];
  readonly serviceErrors: ServiceError[];
}

/** What is known about the ends of iterations. */
export interface Endings {
  /** The duration of each finished iteration in seconds, by number. */
  readonly durations: ReadonlyMap<number, number>;
  /** True if every iteration finished, whether or not its duration is known. */
  readonly allFinished?: boolean;
}

/** Combines three sources for each iteration: Ralph's stdout, its prompt log and its events. */
export async function assembleIterations(
  transcript: readonly IterationOutput[],
  prompts: readonly LoggedPrompt[],
  { durations, allFinished = false }: Endings,
): Promise<Iterations> {
  const numbers = new Set([
    ...transcript.map(({ number }) => number),
    ...prompts.map(({ iteration }) => iteration),
    ...durations.keys(),
  ]);
  const errors: string[] = [];
  const serviceErrors: ServiceError[] = [];
  const usages: Usage[] = [];
  const outputs = new Map(transcript.toReversed().map((output) => [output.number, output]));
  const logs = new Map(prompts.toReversed().map((prompt) => [prompt.iteration, prompt]));
  const iterations: Iteration[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    // Each may have megabytes of JSON: signals get their turn in between.
    await setImmediate();
    const output = outputs.get(number);
    const logged = logs.get(number);
    const stream = output ? readLines(output.lines) : null;
    errors.push(...(stream?.errors ?? []), ...(output?.stderr ?? []));
    serviceErrors.push(...(stream?.serviceErrors ?? []).map((error) => ({ iteration: number, ...error })));
    if (stream?.usage) usages.push(stream.usage);
    const said = stream?.said ?? output?.lines.join('\n').trim() ?? '';
    iterations.push({
      number,
      hat: logged?.hat ?? output?.hat ?? null,
      prompt: logged?.prompt ?? null,
      said: capEnds(said),
      ...(output?.cut === true || said.length > MAX_SAID ? { saidCut: true as const } : {}),
      form: stream === null ? 'text' : 'claude-stream',
      ...(stream?.texts === undefined ? {} : { texts: stream.texts }),
      ...keepLengths(stream?.textLengths, said),
      toolCalls: stream?.toolCalls ?? [],
      ...keepOrder(stream?.order),
      durationSeconds: durations.get(number) ?? null,
      ...(allFinished && !durations.has(number) ? { finished: true as const } : {}),
      ...(stream?.cli === undefined ? {} : { cli: stream.cli }),
    });
  }
  return { iterations, usage: addUsages(usages), errors, serviceErrors };
}

/** Reads the JSON output of a CLI, or returns null if it printed plain text. */
function readLines(lines: readonly string[]) {
  for (const read of TRANSCRIPT_READERS) {
    const transcript = read(lines);
    if (transcript !== null) return transcript;
  }
  return null;
}

/** Keeps where one block ends and the next begins. A text that is cut has no such places. */
function keepLengths(lengths: readonly number[] = [], said: string): Pick<Iteration, 'textLengths'> {
  return lengths.length < 2 || said.length > MAX_SAID ? {} : { textLengths: [...lengths] };
}

/** Keeps the order of blocks and calls if there are both. */
function keepOrder(order: Iteration['order'] | readonly ('text' | 'tool')[] = []): Pick<Iteration, 'order'> {
  return new Set(order).size < 2 ? {} : { order: [...order] };
}

const MAX_SAID = 64 * 1024;

function capEnds(text: string): string {
  if (text.length <= MAX_SAID) return text;
  const half = MAX_SAID / 2;
  return `${text.slice(0, half)}\n[… ${text.length - MAX_SAID} characters left out …]\n${text.slice(-half)}`;
}

function addUsages(usages: readonly Usage[]): Usage | null {
  const [first] = usages;
  if (first === undefined) return null;
  const sum = (pick: (usage: Usage) => number) => usages.reduce((total, usage) => total + pick(usage), 0);
  const cacheTokens = sum((usage) => usage.cacheTokens ?? 0);
  return {
    model: usages.find(({ model }) => model !== null)?.model ?? null,
    turns: sum(({ turns }) => turns),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    costUsd: sum(({ costUsd }) => costUsd),
    ...(cacheTokens > 0 ? { cacheTokens } : {}),
    calls: usages.length,
  };
}
