import * as z from 'zod';
import { textBetween } from '../../../domain/common/between.js';
import { parseJson, parseJsonLines } from '../../../domain/common/json-lines.js';
import type { EventRecord, Evidence, Termination } from '../../../domain/evidence/evidence.js';
import type { WorkspaceReader } from '../../../workspace/read-inside.js';

/**
 * The events file has two kinds of rows: Ralph's own have iteration and hat; those of `ralph emit` have only topic, ts
 * and payload (null, a string, or any JSON after `--json`).
 */
const rowSchema = z.object({
  topic: z.string(),
  ts: z.string(),
  payload: z.unknown().optional(),
  iteration: z.number().optional(),
  hat: z.string().optional(),
});

export interface EventsFile {
  /** Null if there is no events file. */
  readonly path: string | null;
  readonly events: EventRecord[];
  readonly malformed: Evidence['malformedLines'];
  readonly termination: Termination | null;
  /** The duration of each finished iteration in seconds, by number. */
  readonly durations: ReadonlyMap<number, number>;
}

/** Reads the events of this run from the file that the marker names. Files of earlier runs may be beside it. */
export async function readEvents(reader: WorkspaceReader, began: Date): Promise<EventsFile> {
  const path = (await reader.read('.ralph/current-events'))?.trim();
  const text = path ? await reader.read(path, MAX_EVENTS_BYTES) : null;
  if (!path || text === null)
    return { path: null, events: [], malformed: [], termination: null, durations: new Map() };
  const { records, malformed } = parseJsonLines(text, path, rowSchema);
  const events = cutAtStart(records.map(toEvent), began);
  return { path, events, malformed, termination: findTermination(events), durations: readDurations(events) };
}

const MAX_EVENTS_BYTES = 32 * 1024 * 1024;

/**
 * Drops the events of earlier runs: `--continue` appends to their file, so this run begins with the last start record. If
 * that record is older than this run, this run wrote none.
 */
function cutAtStart(events: readonly EventRecord[], began: Date): EventRecord[] {
  const start = events.findLastIndex(
    // A loop that stops before its first iteration also ends with a record of iteration 0.
    ({ source, iteration, topic }) => source === 'ralph' && iteration === 0 && topic !== 'loop.terminate',
  );
  const first = events[start];
  if (first !== undefined && Date.parse(first.timestamp) < began.getTime()) return [];
  return events.slice(Math.max(start, 0));
}

function toEvent(row: z.infer<typeof rowSchema>): EventRecord {
  const { payload = null } = row;
  return {
    topic: row.topic,
    payload: payload === null || typeof payload === 'string' ? payload : JSON.stringify(payload),
    timestamp: row.ts,
    hat: row.hat ?? null,
    iteration: row.iteration ?? null,
    // Ralph writes its own records as hat "loop". Rows for <event> tags in an agent's output have another hat.
    source: row.hat === 'loop' ? 'ralph' : 'agent',
  };
}

function findTermination(events: readonly EventRecord[]): Termination | null {
  const row = events.findLast(({ topic, source }) => topic === 'loop.terminate' && source === 'ralph');
  const payload = row?.payload ?? '';
  const reason = /^## Reason\n(\S+)/m.exec(payload)?.[1];
  if (reason === undefined) return null;
  return {
    reason,
    status: textBetween(`\n${payload}`, '\n## Status\n', '\n\n## ') ?? '',
    iterations: readCount(payload, /^- Iterations: (\d+)/m),
    exitCode: readCount(payload, /^- Exit code: (\d+)/m),
  };
}

/** Reads a number from Ralph's text, or returns null if another version words it differently. */
function readCount(text: string, pattern: RegExp): number | null {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

const summarySchema = z.object({ duration_ms: z.number() });

function readDurations(events: readonly EventRecord[]): Map<number, number> {
  const durations = new Map<number, number>();
  for (const { topic, source, iteration, payload } of events) {
    if (topic !== 'iteration.summary' || source !== 'ralph' || iteration === null) continue;
    const summary = summarySchema.safeParse(parseJson(payload ?? ''));
    durations.set(iteration, summary.success ? summary.data.duration_ms / 1000 : 0);
  }
  return durations;
}
