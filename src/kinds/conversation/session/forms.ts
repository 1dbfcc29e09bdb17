import { KnownError } from '../../../domain/common/known-error.js';
import type { SessionForm } from '../../../domain/scenario/conversation-arrangement.js';
import type { BackendId } from '../../../domain/vocabulary.js';
import { ClaudeSession } from '../claude/session.js';
import { claudeTurns } from '../claude/turns.js';
import { opencodeTurns } from '../opencode/turns.js';
import type { TurnCli } from '../turns/cli.js';
import { TurnByTurnSession } from '../turns/turn-by-turn.js';
import type { SessionOptions } from './options.js';
import type { Session } from './session.js';

type SessionOpener = (options: SessionOptions) => Promise<Session>;

/** The forms in which each CLI can hold a conversation. The first one is the default. */
const FORMS: Readonly<Partial<Record<BackendId, Readonly<Partial<Record<SessionForm, SessionOpener>>>>>> = {
  claude: { streamed: (options) => ClaudeSession.open(options), 'turn-by-turn': turnByTurn(claudeTurns) },
  opencode: { 'turn-by-turn': turnByTurn(opencodeTurns) },
};

/** Opens a conversation with a CLI, in the given form or in its default one. */
export async function openInForm(
  backend: BackendId,
  form: SessionForm | undefined,
  options: SessionOptions,
): Promise<Session> {
  const forms = FORMS[backend] ?? {};
  const open = form === undefined ? Object.values(forms)[0] : forms[form];
  if (open !== undefined) return open(options);
  const known = Object.keys(forms);
  throw new KnownError(
    known.length === 0
      ? `${backend} cannot hold conversations yet.`
      : `${backend} cannot hold a ${form} conversation.`,
    {
      hint:
        known.length === 0
          ? `Backends that can: ${Object.keys(FORMS).join(', ')}.`
          : `Supported forms: ${known.join(', ')}.`,
    },
  );
}

function turnByTurn(cli: TurnCli): SessionOpener {
  return async (options) => new TurnByTurnSession(options, cli);
}
