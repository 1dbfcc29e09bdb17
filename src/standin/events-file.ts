import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readErrorCode } from './failure.js';
import { appendTextFile } from './files.js';
import { takeBytes } from './text.js';
import { formatEventTime } from './time.js';

const MAX_PAYLOAD_BYTES = 500;
const MAX_CONTENT_BYTES = 100;

/** An event as the loop reads it back from the file. */
export interface FileEvent {
  readonly topic: string;
  readonly payload: string;
  readonly waveId?: string;
}

/** A line that is no event; the next prompt tells the agent about it. */
interface MalformedLine {
  readonly line: number;
  readonly content: string;
  readonly error: string;
}

/** What one reading of the file found. */
export interface ReadResult {
  readonly events: readonly FileEvent[];
  readonly malformed: readonly MalformedLine[];
}

/** Writes the loop's own record: iteration and hat included, long payloads cut. */
export function appendLoopRecord(
  path: string,
  record: { iteration: number; hat: string; topic: string; triggered?: string; payload: string },
): void {
  const { iteration, hat, topic, triggered } = record;
  const row = {
    ts: formatEventTime(),
    iteration,
    hat,
    topic,
    ...(triggered === undefined ? {} : { triggered }),
    payload: cutPayload(record.payload),
  };
  appendTextFile(path, `${JSON.stringify(row)}\n`);
}

/** Writes an agent's record: no iteration, no hat, keys in alphabetical order, nothing cut. */
export function appendAgentRecord(
  path: string,
  record: { topic: string; payload: unknown; ts: string; wave_id?: string; wave_index?: number },
): void {
  appendTextFile(path, `${JSON.stringify(sortKeys(record))}\n`);
}

/** Reads what was appended to the events file since the last reading. */
export class EventsReader {
  readonly path: string;
  #position = 0;
  #line = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Passes over everything that is there now. */
  skipToEnd(): void {
    this.read();
  }

  read(): ReadResult {
    const text = this.#readNewText();
    const events: FileEvent[] = [];
    const malformed: MalformedLine[] = [];
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const content of lines) {
      this.#line += 1;
      if (content.trim() === '') continue;
      const parsed = parseEventLine(content);
      if ('error' in parsed) {
        const cut = takeBytes(content, MAX_CONTENT_BYTES);
        malformed.push({
          line: this.#line,
          content: cut === content ? cut : `${cut}...`,
          error: parsed.error,
        });
      } else {
        events.push(parsed);
      }
    }
    return { events, malformed };
  }

  #readNewText(): string {
    let file: number;
    try {
      file = openSync(this.path, 'r');
    } catch (error) {
      if (readErrorCode(error) === 'ENOENT') return '';
      throw error;
    }
    try {
      const length = Math.max(0, fstatSync(file).size - this.#position);
      const bytes = Buffer.alloc(length);
      const count = readSync(file, bytes, 0, length, this.#position);
      this.#position += count;
      return bytes.subarray(0, count).toString();
    } finally {
      closeSync(file);
    }
  }
}

/** Parses one line; topic and ts must be strings, the payload may be any JSON. */
function parseEventLine(line: string): FileEvent | { readonly error: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: 'invalid type: expected struct Event' };
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  for (const name of ['topic', 'ts']) {
    if (!fields.has(name)) {
      return { error: `missing field \`${name}\` at line 1 column ${Buffer.byteLength(line)}` };
    }
    if (typeof fields.get(name) !== 'string')
      return { error: `invalid type for \`${name}\`: expected a string` };
  }
  const payload = fields.get('payload');
  const waveId = fields.get('wave_id');
  return {
    topic: String(fields.get('topic')),
    payload:
      typeof payload === 'string'
        ? payload
        : payload === undefined || payload === null
          ? ''
          : JSON.stringify(sortKeys(payload)),
    ...(typeof waveId === 'string' ? { waveId } : {}),
  };
}

/** Objects come out with their keys in alphabetical order, as the real one stores them. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sortKeys(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function cutPayload(payload: string): string {
  if (Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES) return payload;
  return `${takeBytes(payload, MAX_PAYLOAD_BYTES)}... [truncated, ${[...payload].length} chars total]`;
}
