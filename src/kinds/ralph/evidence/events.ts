import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { textBetween } from '../../../domain/common/between.js';
import { Form, parseJson, readJsonLines } from '../../../domain/common/json-lines.js';
import type { EventRecord, Evidence, Termination } from '../../../domain/evidence/evidence.js';
import {
  isLoopEnd,
  isSummary,
  RALPH_FILES,
  RALPH_HAT,
  RALPH_TOPICS,
  readWords,
} from '../../../domain/evidence/ralph-words.js';
import type { WorkspaceReader } from '../../../workspace/read-inside.js';
import { rowSchema } from './event-row.js';
import { ITERATION_RULE } from './transcript.js';

export interface EventsFile {
  /** Null if there is no events file. */
  readonly path: string | null;
  readonly events: EventRecord[];
  /** How many events between the first and the last ones are left out, or not whole. */
  readonly leftOut: number;
  /** The topics before this run in the file, each once. */
  readonly earlierTopics: string[];
  readonly malformed: Evidence['malformedLines'];
  /** The fields of the first row, if the rows have a form that we do not know. */
  readonly unknownForm: readonly string[] | null;
  readonly termination: Termination | null;
  /** The duration of each finished iteration in seconds, by number. */
  readonly durations: ReadonlyMap<number, number>;
}

const MAX_EVENTS_BYTES = 32 * 1024 * 1024;
const MAX_MALFORMED = 1000;
const MAX_EARLIER = { topics: 1000, characters: 200 };
/** How many rows are read before signals get their turn. */
const ROWS_AT_ONCE = 1000;

/**
 * Reads the events of this run. Files of other runs may be beside it: a later run changes the marker, and so can an agent.
 * The marker counts only if Ralph did not print the name of its file, as in its terminal interface.
 */
export async function readEvents(
  reader: WorkspaceReader,
  began: Date,
  /** The file that Ralph named before it called an agent. */
  named: string | null = null,
): Promise<EventsFile> {
  const path = named ?? (await reader.read(RALPH_FILES.eventsMarker))?.trim();
  const text = path ? await reader.read(path, MAX_EVENTS_BYTES) : null;
  const kept = new KeptEvents();
  const malformed: Evidence['malformedLines'] = [];
  const durations = new Map<number, number>();
  const topics = new Set<string>();
  let earlier = 0;
  let start: EventRecord | null = null;
  let ending: Termination | 'unreadable' | null = null;
  const form = new Form();
  let rows = 0;
  for (const line of readJsonLines(text ?? '', path ?? '', rowSchema)) {
    rows += 1;
    if (rows % ROWS_AT_ONCE === 0) await setImmediate();
    form.see(line);
    if ('malformed' in line) {
      if (malformed.length < MAX_MALFORMED) malformed.push(line.malformed);
      continue;
    }
    const event = toEvent(line.record);
    // `--continue` appends to the file of the run before, so this run begins with the last start record.
    if (isStart(event)) {
      start = event;
      earlier = topics.size;
      ending = null;
      durations.clear();
      kept.clear();
    }
    kept.add(event);
    if (topics.size < MAX_EARLIER.topics && event.topic.length <= MAX_EARLIER.characters)
      topics.add(event.topic);
    ending = readTermination(event) ?? ending;
    readDuration(event, durations);
  }
  const common = { path: text === null ? null : (path ?? null), malformed, unknownForm: form.unknown };
  // If the last start record is older than this run, this run wrote none.
  if (start !== null && Date.parse(start.timestamp) < began.getTime())
    return {
      ...common,
      ...{ events: [], leftOut: 0, earlierTopics: [...topics], termination: null, durations: new Map() },
    };
  const termination = ending === 'unreadable' ? null : ending;
  const events = kept.all;
  // A set keeps the order in which topics came.
  const earlierTopics = [...topics].slice(0, earlier);
  return { ...common, events, leftOut: kept.leftOut, earlierTopics, termination, durations };
}

/** Whether the events in a file show that the loop that began at this time has ended. */
export function loopHasEnded(text: string, began: Date): boolean {
  let [isOld, ended] = [false, false];
  for (const line of readJsonLines(text, '', rowSchema)) {
    if ('malformed' in line) continue;
    const event = toEvent(line.record);
    if (isStart(event)) [isOld, ended] = [Date.parse(event.timestamp) < began.getTime(), false];
    else if (isLoopEnd(event)) ended = !isOld;
  }
  return ended;
}

const EVENTS_LINE = /^ {2}events: +(\/\S.*)$/m;

/** Finds the events file that Ralph printed before its first iteration, relative to the workspace. */
export async function findNamedEvents(workspace: string, stdout: string): Promise<string | null> {
  const printed = EVENTS_LINE.exec(stdout.split(ITERATION_RULE, 1)[0] ?? '')?.[1]?.trim();
  if (printed === undefined) return null;
  const places = [workspace, await realpath(workspace)].map((folder) => relative(folder, printed));
  return places.find((path) => !path.startsWith('..')) ?? null;
}

/** A loop that stops before its first iteration also ends with a record of iteration 0. */
function isStart({ source, iteration, topic }: EventRecord): boolean {
  return source === 'ralph' && iteration === 0 && topic !== RALPH_TOPICS.end;
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
    source: row.hat === RALPH_HAT ? 'ralph' : 'agent',
  };
}

/** Reads a termination record. The last one counts, even if this version of Ralph words it differently. */
function readTermination(event: EventRecord): Termination | 'unreadable' | null {
  if (!isLoopEnd(event)) return null;
  const text = event.payload ?? '';
  const reason = /^## Reason\n(\S+)/m.exec(text)?.[1];
  if (reason === undefined) return 'unreadable';
  return {
    reason,
    status: textBetween(`\n${text}`, '\n## Status\n', '\n\n## ') ?? '',
    iterations: readCount(text, /^- Iterations: (\d+)/m),
    exitCode: readCount(text, /^- Exit code: (\d+)/m),
  };
}

/** Reads a number from Ralph's text, or returns null if another version words it differently. */
function readCount(text: string, pattern: RegExp): number | null {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

const summarySchema = z.preprocess(readWords, z.object({ duration_ms: z.number() }));

function readDuration(event: EventRecord, durations: Map<number, number>): void {
  const { iteration, payload } = event;
  if (!isSummary(event) || iteration === null) return;
  const summary = summarySchema.safeParse(parseJson(payload ?? ''));
  durations.set(iteration, summary.success ? summary.data.duration_ms / 1000 : 0);
}

/** More than any loop has, and few enough for a journal with hundreds of attempts. */
const MAX_EVENTS = 4000;
/** How many characters of topics and payloads are kept of the first half, and of the last. */
const MAX_TEXT = 1024 * 1024;

/** Keeps the first and the last events of a list that an agent can make as long as it likes. */
class KeptEvents {
  #head: EventRecord[] = [];
  #tail: EventRecord[] = [];
  #headText = 0;
  #tailText = 0;
  /** How many events are left out, or not whole. */
  leftOut = 0;

  clear(): void {
    [this.#head, this.#tail, this.#headText, this.#tailText, this.leftOut] = [[], [], 0, 0, 0];
  }

  add(event: EventRecord): void {
    const kept = this.#shorten(event);
    const size = sizeOf(kept);
    if (this.#tail.length === 0 && this.#head.length < MAX_EVENTS / 2 && this.#headText + size <= MAX_TEXT) {
      this.#head.push(kept);
      this.#headText += size;
      return;
    }
    this.#tail.push(kept);
    this.#tailText += size;
    // Now and then instead of each time: removing the first of a long list is slow.
    if (this.#tail.length > 2 * MAX_EVENTS || this.#tailText > 2 * MAX_TEXT) this.#trim();
  }

  get all(): EventRecord[] {
    this.#trim();
    return [...this.#head, ...this.#tail];
  }

  #trim(): void {
    let from = 0;
    while (
      this.#tail.length - from > MAX_EVENTS / 2 ||
      (this.#tailText > MAX_TEXT && from < this.#tail.length)
    ) {
      const first = this.#tail[from];
      this.#tailText -= first === undefined ? 0 : sizeOf(first);
      from += 1;
    }
    this.leftOut += from;
    this.#tail = this.#tail.slice(from);
  }

  #shorten(event: EventRecord): EventRecord {
    if (sizeOf(event) <= MAX_TEXT / 2) return event;
    this.leftOut += 1;
    const cut = (text: string) => text.slice(0, MAX_TEXT / 8);
    return { ...event, topic: cut(event.topic), payload: event.payload === null ? null : cut(event.payload) };
  }
}

function sizeOf({ topic, payload }: EventRecord): number {
  return topic.length + (payload?.length ?? 0);
}
