import type { TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';

/** How a process of the CLI ended, in words: its exit, and the end of what it said on stderr. */
export function explainEnd(result: ProcessResult, limitSeconds: number): string {
  const { exitCode, signal, timedOut, stderr, spawnError } = result;
  const how = timedOut
    ? `ended by the time limit of ${limitSeconds} s`
    : `exit ${exitCode ?? signal ?? 'unknown'}`;
  const words = spawnError?.message ?? stderr.head.trim().slice(-300);
  return words === '' ? how : `${how}: ${words}`;
}

/** What a turn comes to when its process ends before it. */
export function outcomeOfEnd(result: ProcessResult, limitSeconds: number): TurnOutcome {
  return result.timedOut
    ? { kind: 'timed-out', afterSeconds: limitSeconds }
    : { kind: 'crashed', detail: explainEnd(result, limitSeconds) };
}
