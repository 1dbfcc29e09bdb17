import type { TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';

/** Describes how a process of the CLI ended: its exit, and the end of its stderr. */
export function explainEnd(result: ProcessResult, limitSeconds: number): string {
  const { exitCode, signal, timedOut, stderr, spawnError } = result;
  const how = timedOut
    ? `ended at the time limit of ${limitSeconds} s`
    : `exit ${exitCode ?? signal ?? 'unknown'}`;
  const words = spawnError?.message ?? endOf(stderr.head.trim());
  return words === '' ? how : `${how}: ${words}`;
}

/** Returns the last whole lines of a text, or the last whole words if a line is too long. */
function endOf(text: string): string {
  const end = text.slice(-300);
  if (end === text) return text;
  return `… ${end.replace(/^[^\n]*\n|^\S*\s/, '')}`;
}

/** Returns the outcome of a turn whose process ended before the turn did. */
export function outcomeOfEnd(result: ProcessResult, limitSeconds: number): TurnOutcome {
  return result.timedOut
    ? { kind: 'timed-out', afterSeconds: limitSeconds }
    : { kind: 'crashed', detail: explainEnd(result, limitSeconds) };
}
