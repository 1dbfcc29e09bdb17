import type { Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { PlannedTurn } from '../../../domain/scenario/conversation-arrangement.js';
import { CommandAmbiguousError, CommandNotFoundError } from '../session/commands.js';
import type { Session } from '../session/session.js';
import { TurnDraft } from './draft.js';

/** Sends a turn. Records a prompt that cannot be sent (CLI gone, command unknown or ambiguous) as a turn with that outcome. */
export async function sayTurn(
  session: Session,
  { prompt, seconds }: PlannedTurn,
  limit: number,
): Promise<Turn> {
  // The CLI can also exit between two turns, while we review the last one.
  if (session.over !== null) return recordUnsent(session, prompt, session.over);
  try {
    return await session.send(prompt, seconds ?? limit);
  } catch (error) {
    if (!(error instanceof CommandNotFoundError || error instanceof CommandAmbiguousError)) throw error;
    const [command = prompt] = prompt.split(/\s/);
    return recordUnsent(
      session,
      prompt,
      error instanceof CommandAmbiguousError
        ? { kind: 'ambiguous-command', command, meanings: error.message }
        : { kind: 'unknown-command', command },
    );
  }
}

function recordUnsent(session: Session, prompt: string, outcome: TurnOutcome): Turn {
  const turn = new TurnDraft(session.turns, { asked: prompt, sent: prompt }).close(outcome);
  session.turns.push(turn);
  return turn;
}
