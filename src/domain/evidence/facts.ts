import type { Evidence, Iteration } from './evidence.js';

/** What checks and diagnosis rules both read out of evidence, so that neither has to read the other's words. */

/** How many iterations came to their end. */
export function countFinished({ iterations }: Evidence): number {
  return iterations.filter(({ durationSeconds }) => durationSeconds !== null).length;
}

/** The hat of an iteration, by id: `ralph` where no hat is active, `unknown` where ralph did not say. */
export function wornIn({ hat }: Iteration): string {
  return hat ?? 'unknown';
}

/** The hats of the iterations, in order. */
export function hatsWorn({ iterations }: Evidence): string[] {
  return iterations.map(wornIn);
}

/** An event as ralph lists it for the agent. */
interface PendingEvent {
  readonly topic: string;
  readonly payload: string;
}

/** `Event: <topic> - <payload>` under the heading; a payload runs on until the next event or the next heading. */
const SECTION = /^## PENDING EVENTS\n([\s\S]*?)(?=^## |(?![\s\S]))/m;
const EVENT = /^Event: (\S+) - ([\s\S]*?)(?=^Event: |(?![\s\S]))/gm;

/** The events that the prompt of an iteration announces; null where ralph logged no such prompt. */
export function pendingIn({ iterations }: Evidence, number: number): readonly PendingEvent[] | null {
  const prompt = iterations.find((iteration) => iteration.number === number)?.prompt ?? null;
  if (prompt === null) return null;
  return [...(SECTION.exec(prompt)?.[1] ?? '').matchAll(EVENT)].map(([, topic = '', payload = '']) => ({
    topic,
    payload: payload.trim(),
  }));
}

/** The word that ends the loop. */
export function promiseOf({ configYaml }: Evidence): string {
  return /completion_promise:\s*["']?([\w.-]+)/.exec(configYaml)?.[1] ?? 'LOOP_COMPLETE';
}
