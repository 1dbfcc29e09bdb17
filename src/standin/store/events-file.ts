import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../domain/common/message-of.js';
import { CommandError, readErrorCode, toFailure } from '../failure.js';
import { faulty } from '../faults.js';
import { sortKeys } from '../record.js';
import { takeBytes } from '../text.js';
import { formatEventTime } from '../time.js';
import { appendTextFile, makeFolder } from './files.js';

const MAX_PAYLOAD_BYTES = 500;
const MAX_CONTENT_BYTES = 100;

/** An event as the loop reads it back from the file. */
export interface FileEvent {
  readonly line: number;
  readonly topic: string;
  readonly payload: string;
  readonly waveId?: string;
}

/** A line that is not an event; the next prompt reports it to the agent. */
interface MalformedLine {
  readonly line: number;
  readonly content: string;
  readonly error: string;
}

/** The result of reading the file once. */
export interface ReadResult {
  readonly events: readonly FileEvent[];
  readonly malformed: readonly MalformedLine[];
  /** Why nothing could be read; the loop tries again, and fails again. */
  readonly problem?: string;
}

interface LoopRecord {
  readonly iteration: number;
  readonly hat: string;
  readonly topic: string;
  readonly triggered?: string;
  readonly payload: string;
}

/** Writes the loop's own record, with iteration and hat; cuts long payloads. */
export function appendLoopRecord(path: string, record: LoopRecord): void {
  appendToOpen(path, `${formatLoopRecord(record)}\n`);
}

/** Writes an event that an agent published with a tag in its text, in the form of the loop's own records. */
export function appendTagRecord(path: string, record: LoopRecord): void {
  appendPublished(path, formatLoopRecord(record), appendToOpen);
}

/** Writes an agent's record: no iteration, no hat, keys in alphabetical order, payload not cut. */
export function appendAgentRecord(
  path: string,
  record: { topic: string; payload: unknown; ts: string; wave_id?: string; wave_index?: number },
): void {
  appendPublished(path, JSON.stringify(sortKeys(record)));
}

function appendPublished(path: string, line: string, append = appendTextFile): void {
  if (faulty('lose-events')) return;
  const written = faulty('corrupt-events') ? line.slice(0, line.length / 2) : line;
  append(path, `${written}\n`);
}

let opened: { readonly path: string; readonly file: number } | undefined;

/** The loop keeps its file open: if the file is removed, it stays away, and further records are lost. */
function appendToOpen(path: string, text: string): void {
  if (opened?.path !== path) {
    makeFolder(dirname(path));
    opened = { path, file: openSync(path, 'a') };
  }
  writeSync(opened.file, text);
}

function formatLoopRecord({ iteration, hat, topic, triggered, payload }: LoopRecord): string {
  const receiver = triggered === undefined ? {} : { triggered };
  return JSON.stringify({
    ts: formatEventTime(),
    iteration,
    hat,
    topic,
    ...receiver,
    payload: cutPayload(payload),
  });
}

/** Reads what was appended to the events file since the last read. */
export class EventsReader {
  readonly path: string;
  #position = 0;
  #line = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Skips everything in the file so far. */
  skipToEnd(): void {
    this.read();
  }

  read(): ReadResult {
    let bytes: Buffer;
    try {
      bytes = this.#readNewBytes();
    } catch (error) {
      const failure = toFailure(error);
      if (failure === undefined) throw error;
      return { events: [], malformed: [], problem: failure.message };
    }
    this.#position += bytes.length;
    const text = bytes.toString();
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
        events.push({ line: this.#line, ...parsed });
      }
    }
    return { events, malformed };
  }

  #readNewBytes(): Buffer {
    let file: number;
    try {
      file = openSync(this.path, 'r');
    } catch (error) {
      if (readErrorCode(error) === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
    try {
      const found = fstatSync(file);
      // Reading zero bytes from a folder would succeed.
      if (found.isDirectory()) throw new CommandError('Is a directory (os error 21)');
      const length = Math.max(0, found.size - this.#position);
      const buffer = Buffer.alloc(length);
      const bytes = buffer.subarray(0, readSync(file, buffer, 0, length, this.#position));
      if (!isUtf8(bytes)) throw new CommandError('stream did not contain valid UTF-8');
      return bytes;
    } finally {
      closeSync(file);
    }
  }
}

/** Parses one line; topic and ts must be strings, the payload may be any JSON. */
function parseEventLine(line: string): Omit<FileEvent, 'line'> | { readonly error: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { error: messageOf(error) };
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

function cutPayload(payload: string): string {
  if (Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES) return payload;
  return `${takeBytes(payload, MAX_PAYLOAD_BYTES)}... [truncated, ${[...payload].length} chars total]`;
}
