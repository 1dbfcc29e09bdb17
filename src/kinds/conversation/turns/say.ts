import type { Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { PlannedTurn } from '../../../domain/scenario/conversation-arrangement.js';
import { CommandAmbiguousError, CommandNotFoundError } from '../session/commands.js';
import type { Session } from '../session/session.js';
import { TurnDraft } from './draft.js';

/** What cannot be sent (the CLI is gone, the session has no such command or has it twice) is a turn that says so. */
export async function sayTurn(
  session: Session,
  { prompt, seconds }: PlannedTurn,
  limit: number,
): Promise<Turn> {
  // It can go between two turns, too: while we look at what the last one did.
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
