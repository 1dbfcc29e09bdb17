import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import {
  type Captures,
  type Matcher,
  matchWithin,
  PatternTooSlow,
  readMatch,
} from '../engine/limited-match.js';

/** How long a pattern may hold up all other requests. */
const BLOCKING_LIMIT_MS = 20;
/** How many patterns may run in threads at once; more would only take time from each other. */
const MOST_THREADS = 4;

/** How long a pattern may take, and a signal that ends all searches. */
export interface PatternLimits {
  readonly milliseconds: number;
  readonly closing: AbortSignal;
}

/** Runs `decide`, which must change nothing before its patterns have matched. Slow patterns run in a thread. */
export async function withPatterns<Result>(
  decide: (match: Matcher) => Result,
  limits: PatternLimits,
): Promise<Result> {
  const known = new Map<string, Captures | null | 'too slow'>();
  const quickly = matchWithin(BLOCKING_LIMIT_MS);
  const match: Matcher = (pattern, text) => {
    const found = known.get(keyOf(pattern, text));
    if (found === 'too slow') throw new PatternTooSlow(pattern, text, limits.milliseconds);
    return found === undefined ? quickly(pattern, text) : found;
  };
  for (;;) {
    try {
      return decide(match);
    } catch (error) {
      if (!(error instanceof PatternTooSlow) || known.has(keyOf(error.pattern, error.text))) throw error;
      known.set(keyOf(error.pattern, error.text), await searchInThread(error.pattern, error.text, limits));
    }
  }
}

function keyOf(pattern: RegExp, text: string): string {
  return `${pattern}\0${text}`;
}

let running = 0;
const waiting: (() => void)[] = [];

async function searchInThread(
  pattern: RegExp,
  text: string,
  limits: PatternLimits,
): Promise<Captures | null | 'too slow'> {
  if (running >= MOST_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await search(pattern, text, limits);
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

const SEARCH = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('ready');
  const match = new RegExp(workerData.source, workerData.flags).exec(workerData.text);
  parentPort.postMessage(match === null ? null : [...match]);
`;
const matchSchema = z.array(z.string().optional()).nullable();

function search(
  { source, flags }: RegExp,
  text: string,
  { milliseconds, closing }: PatternLimits,
): Promise<Captures | null | 'too slow'> {
  if (closing.aborted) return Promise.resolve('too slow');
  const worker = new Worker(SEARCH, { eval: true, execArgv: [], workerData: { source, flags, text } });
  let limit: NodeJS.Timeout | undefined;
  let giveUp = () => {};
  const result = new Promise<Captures | null | 'too slow'>((resolve, reject) => {
    giveUp = () => resolve('too slow');
    closing.addEventListener('abort', giveUp, { once: true });
    worker.on('error', reject);
    worker.on('message', (message: unknown) => {
      // The start of the thread does not count.
      if (message === 'ready') limit = setTimeout(giveUp, milliseconds);
      else resolve(readMatch(matchSchema.parse(message)));
    });
  });
  return result.finally(async () => {
    closing.removeEventListener('abort', giveUp);
    await worker.terminate();
    clearTimeout(limit);
  });
}
