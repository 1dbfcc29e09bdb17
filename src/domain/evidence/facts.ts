import type { EventRecord, Evidence, Iteration, ProcessExit } from './evidence.js';
import { isSummary } from './ralph-words.js';

/** Facts that checks and diagnosis rules both read from the evidence, so that neither reads the other's sentences. */

/** Counts the iterations that finished. */
export function countFinished({ iterations }: Evidence): number {
  return iterations.filter(isFinished).length;
}

/** Whether an iteration ended in order. */
export function isFinished({ durationSeconds, finished }: Iteration): boolean {
  return durationSeconds !== null || finished === true;
}

/** Returns the id of an iteration's hat: `ralph` if no hat is active, `unknown` if Ralph did not report one. */
export function wornIn({ hat }: Iteration): string {
  return hat ?? 'unknown';
}

/** Returns the hats of the iterations, in order. */
export function hatsWorn({ iterations }: Evidence): string[] {
  return iterations.map(wornIn);
}

/** Returns Ralph's records of the ends of iterations. */
export function endsOfIterations(events: readonly EventRecord[]): EventRecord[] {
  return events.filter(isSummary);
}

/** Returns the iteration in whose time an agent's event falls: the first one that ended after it. */
export function placeInTime({ source, timestamp }: EventRecord, ends: readonly EventRecord[]): number | null {
  if (source !== 'agent') return null;
  const time = Date.parse(timestamp);
  return ends.find((end) => Date.parse(end.timestamp) >= time)?.iteration ?? null;
}

/** An event as Ralph lists it for the agent. */
interface PendingEvent {
  readonly topic: string;
  readonly payload: string;
}

/** `Event: <topic> - <payload>` under the heading. A payload continues until the next event or the next heading. */
const SECTION = /^## PENDING EVENTS\n([\s\S]*?)(?=^## |(?![\s\S]))/m;
const EVENT = /^Event: (\S+) - ([\s\S]*?)(?=^Event: |(?![\s\S]))/gm;

/** Returns the pending events in the prompt of an iteration, or null if Ralph logged no such prompt. */
export function pendingIn({ iterations }: Evidence, number: number): readonly PendingEvent[] | null {
  const prompt = iterations.find((iteration) => iteration.number === number)?.prompt ?? null;
  if (prompt === null) return null;
  return [...(SECTION.exec(prompt)?.[1] ?? '').matchAll(EVENT)].map(([, topic = '', payload = '']) => ({
    topic,
    payload: payload.trim(),
  }));
}

/**
 * Returns the topics that count for `required_events`, as Ralph counts them: what agents published in this session, what
 * the sessions had that it continues, and what Ralph published for a hat, which only the prompts show. The event that
 * starts this session does not count.
 */
export function topicsSeen(evidence: Evidence): ReadonlySet<string> {
  const { events, iterations, earlierTopics = [] } = evidence;
  const own = new Set(events.filter(({ source }) => source === 'ralph').map(({ topic }) => topic));
  const pending = iterations.flatMap(({ number }) => pendingIn(evidence, number) ?? []);
  return new Set([
    ...earlierTopics,
    ...events.filter(({ source }) => source === 'agent').map(({ topic }) => topic),
    ...pending.map(({ topic }) => topic).filter((topic) => !own.has(topic)),
  ]);
}

/** Returns the iteration of an event: the one that it names, or else the one in whose time it falls. */
export function iterationOf(event: EventRecord, ends: readonly EventRecord[]): number | null {
  return event.iteration ?? placeInTime(event, ends);
}

/** The text blocks of an answer. Their boundaries are unknown in a plain text. */
export function textBlocks({ said, textLengths = [] }: Pick<Iteration, 'said' | 'textLengths'>): string[] {
  if (textLengths.length < 2) return said === '' ? [] : [said];
  let from = 0;
  return textLengths.map((length) => {
    const text = said.slice(from, from + length);
    // A line break that the agent did not print separates two blocks.
    from += length + 1;
    return text;
  });
}

/** Says how a process ended: `exit code 2`, `killed by SIGKILL`. */
export function describeEndOfProcess(exit: ProcessExit): string {
  switch (exit.kind) {
    case 'exited':
      return `exit code ${exit.code}`;
    case 'killed':
      return `killed by ${exit.signal}`;
    case 'timed-out':
      return `still running after ${exit.afterSeconds} s, ended by the harness`;
    case 'interrupted':
      return 'interrupted by the user';
    default:
      return exit satisfies never;
  }
}
