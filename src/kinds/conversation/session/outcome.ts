import type { TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { TurnEnd } from './states.js';

/** How a process of a CLI ended; what runs processes knows more of it. */
interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly spawnError?: { readonly message: string };
  readonly stderr: { readonly head: string };
}

/** Describes how a turn ended. */
export function describeOutcome(outcome: TurnOutcome): string {
  switch (outcome.kind) {
    case 'completed':
    case 'cancelled':
      return outcome.kind;
    case 'blocked':
      return `blocked by a hook: ${outcome.reason}`;
    case 'unknown-command':
      return `unknown command ${outcome.command}`;
    case 'ambiguous-command':
      return `ambiguous command ${outcome.command}: ${outcome.meanings}`;
    case 'api-error':
      return `API error${outcome.status === null ? '' : ` ${outcome.status}`}: ${outcome.message}`;
    case 'limit':
      return `stopped at a limit: ${outcome.which}`;
    case 'timed-out':
      return `timed out after ${outcome.afterSeconds} s`;
    case 'crashed':
      return `the CLI exited during the turn: ${outcome.detail}`;
    default:
      return outcome satisfies never;
  }
}

/** Returns how a turn ended, as the states name it. */
export function endOf({ kind }: TurnOutcome): TurnEnd {
  switch (kind) {
    case 'unknown-command':
    case 'ambiguous-command':
    case 'api-error':
    case 'limit':
      return 'failed';
    default:
      return kind;
  }
}

/** Describes how a process of the CLI ended: its exit, and the end of its stderr. */
export function explainEnd(result: Ending, limitSeconds: number): string {
  const { exitCode, signal, timedOut, stderr, spawnError } = result;
  const how = timedOut
    ? `ended at the time limit of ${limitSeconds} s`
    : `exit ${exitCode ?? signal ?? 'unknown'}`;
  const words = spawnError?.message ?? lastLines(stderr.head.trim());
  return words === '' ? how : `${how}: ${words}`;
}

/** Returns the last whole lines of a text, or the last whole words if a line is too long. */
function lastLines(text: string): string {
  const end = text.slice(-300);
  if (end === text) return text;
  return `… ${end.replace(/^[^\n]*\n|^\S*\s/, '')}`;
}

/** Returns the outcome of a turn whose process ended before the turn did. */
export function outcomeOfEnd(result: Ending, limitSeconds: number): TurnOutcome {
  return result.timedOut
    ? { kind: 'timed-out', afterSeconds: limitSeconds }
    : { kind: 'crashed', detail: explainEnd(result, limitSeconds) };
}
