import type { Evidence } from '../../../domain/evidence/evidence.js';
import { ROW_FIELDS } from './event-row.js';

/** What was found in the files that Ralph writes in every run. */
interface Found {
  /** The fields of the rows, if none of them can be read. */
  readonly events: readonly string[] | null;
  readonly history: readonly string[] | null;
  /** The first line of a prompt log in which no prompt can be read. */
  readonly promptLog: string | null;
}

/**
 * Describes records of Ralph in a form that we do not know, such as those of a later version. Nothing can be judged
 * without them. What agents write as well, such as tasks and memories, does not count, nor what a Ralph that panicked left.
 */
export function describeUnknownRecords(
  { events, history, promptLog }: Found,
  exit: Evidence['exit'],
): string[] {
  if (exit.kind === 'exited' && exit.code === PANIC) return [];
  return [
    ...describeRows('the events file', ROW_FIELDS, events),
    ...describeRows('history.jsonl', 'type.kind', history),
    ...(promptLog === null
      ? []
      : [`prompt-log.md begins with "${promptLog.slice(0, 80)}" (expected "# Iteration 1 — ralph")`]),
  ];
}

/** The exit code of a Rust program that panics. */
const PANIC = 101;

function describeRows(file: string, expected: string, found: readonly string[] | null): string[] {
  if (found === null) return [];
  const fields = found.slice(0, 12).map((name) => name.slice(0, 40));
  return [`${file} has rows with ${fields.join(', ') || 'no fields'} (expected ${expected})`];
}
