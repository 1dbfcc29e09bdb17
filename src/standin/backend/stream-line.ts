import type { Log } from '../log.js';
import { findBoundary } from '../text.js';
import type { Shape } from './json-shape.js';

/** A stream of JSON lines, as the real Ralph knows it. */
export interface Stream {
  /** The module that reads it in the real Ralph. */
  readonly target: string;
  /** What the log calls a line that is not part of the stream. */
  readonly malformed: string;
  readonly line: Shape;
}

/** Parses one line of a stream. Anything else on stdout is skipped, and the log says so. */
export function parseStreamLine(line: string, stream: Stream, log: Log): unknown {
  const trimmed = line.trim();
  if (trimmed === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    // Reported below.
  }
  if (stream.line(value)) return value;
  log.debug(
    stream.target,
    `Skipping malformed ${stream.malformed}: ${shorten(trimmed)} (error: expected a line of the stream)`,
  );
  return undefined;
}

const MAX_BYTES = 100;

/** Keeps every character that begins before the limit. */
function shorten(line: string): string {
  const bytes = Buffer.from(line);
  if (bytes.length <= MAX_BYTES) return line;
  const last = findBoundary(bytes, MAX_BYTES - 1);
  const character = bytes.subarray(last).toString().codePointAt(0) ?? 0;
  return `${bytes.subarray(0, last).toString()}${String.fromCodePoint(character)}...`;
}
