import type { EventRecord } from './evidence.js';

/**
 * The words of Ralph's records, as 2.10.1 writes them. Stand-in, evidence, diagnosis and scenarios take them from here, so
 * a word that the next release changes is one line.
 */

/** The topics of events that Ralph publishes by itself. */
export const RALPH_TOPICS = {
  start: 'task.start',
  resume: 'task.resume',
  /** The end of an iteration. */
  summary: 'iteration.summary',
  /** The end of the loop. */
  end: 'loop.terminate',
  /** Nobody waits for the event that it names. */
  orphaned: 'event.orphaned',
  malformed: 'event.malformed',
  /** What a person wrote while the loop ran, and that the agent has read it. */
  guidance: 'human.guidance',
  guidanceRead: 'human.guidance.ack',
} as const;

/** The hat of the records that Ralph writes by itself. */
export const RALPH_HAT = 'loop';

/** Why a loop ended, as its last record says. */
export type EndReason =
  | 'completed'
  | 'max_iterations'
  | 'max_runtime'
  | 'max_cost'
  | 'consecutive_failures'
  | 'loop_stale'
  | 'loop_thrashing'
  | 'validation_failure'
  | 'stopped'
  | 'workspace_gone'
  | 'restart_requested'
  | 'cancelled';

/** The phases of a loop at which Ralph runs hooks, in the words of ralph.yml. */
export const HOOK_PHASES = [
  'pre.loop.start',
  'post.loop.start',
  'pre.iteration.start',
  'post.iteration.start',
  'pre.plan.created',
  'post.plan.created',
  'pre.human.interact',
  'post.human.interact',
  'pre.loop.complete',
  'post.loop.complete',
  'pre.loop.error',
  'post.loop.error',
] as const;

/** A phase of a loop at which Ralph runs hooks. */
export type HookPhase = (typeof HOOK_PHASES)[number];

/** Ralph's files in a workspace. */
export const RALPH_FILES = {
  /** Names the events file of the current loop. */
  eventsMarker: '.ralph/current-events',
  history: '.ralph/history.jsonl',
  scratchpad: '.ralph/agent/scratchpad.md',
  memories: '.ralph/agent/memories.md',
  tasks: '.ralph/agent/tasks.jsonl',
  summary: '.ralph/agent/summary.md',
  handoff: '.ralph/agent/handoff.md',
} as const;

/**
 * The fields of records that we read, each with its names in other releases. No release renamed one yet: the second name of
 * a duration is invented, so that a test can show that second names are read.
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  topic: [],
  ts: [],
  payload: [],
  iteration: [],
  hat: [],
  duration_ms: ['elapsed_ms'],
};

/** Gives the fields of a record the names of 2.10.1. Where it has both names, ours counts. */
export function readWords(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  const renamed = Object.entries(record).flatMap(([name, value]) => {
    const ours = OURS.get(name);
    return ours === undefined ? [] : [[ours, value]];
  });
  return renamed.length === 0 ? record : { ...Object.fromEntries(renamed), ...record };
}

const OURS = new Map(Object.entries(FIELDS).flatMap(([ours, others]) => others.map((name) => [name, ours])));

/**
 * Returns the texts of which a row with this topic has one in Ralph's events file, for `grep` in shell scripts: a line for
 * each name of the field.
 */
export function rowWithTopic(topic: string): string {
  return ['topic', ...(FIELDS.topic ?? [])].map((name) => `"${name}":"${topic}"`).join('\n');
}

/** Whether this is Ralph's record of the end of an iteration. */
export function isSummary({ topic, source }: Pick<EventRecord, 'topic' | 'source'>): boolean {
  return topic === RALPH_TOPICS.summary && source === 'ralph';
}

/** Whether this is Ralph's record of the end of its loop. */
export function isLoopEnd({ topic, source }: Pick<EventRecord, 'topic' | 'source'>): boolean {
  return topic === RALPH_TOPICS.end && source === 'ralph';
}

/** Whether Ralph begins or resumes a session with this event. */
export function isKickoff(topic: string): boolean {
  return topic === RALPH_TOPICS.start || topic === RALPH_TOPICS.resume;
}
