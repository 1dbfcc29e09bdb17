import type { TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { TurnEnd } from './state-machine.js';

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

/** Returns how a turn ended, as the state machine names it. */
export function endOf(outcome: TurnOutcome): TurnEnd {
  switch (outcome.kind) {
    case 'completed':
    case 'cancelled':
    case 'blocked':
    case 'timed-out':
    case 'crashed':
      return outcome.kind;
    case 'unknown-command':
    case 'ambiguous-command':
    case 'api-error':
    case 'limit':
      return 'failed';
    default:
      return outcome satisfies never;
  }
}
