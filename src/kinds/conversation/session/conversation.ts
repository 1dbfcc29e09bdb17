import { KnownError } from '../../../domain/common/known-error.js';
import type { StageChange, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { PlannedTurn, SessionForm } from '../../../domain/scenario/conversation-arrangement.js';
import type { BackendId } from '../../../domain/vocabulary.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import { ClaudeSession } from '../claude/session.js';
import { claudeTurns } from '../claude/turns.js';
import { opencodeTurns } from '../opencode/turns.js';
import type { WorkspaceChange } from '../stages/tracker.js';
import type { WorkspaceWatch } from '../stages/workspace.js';
import { TurnDraft } from '../turns/draft.js';
import { TurnByTurnSession, type TurnCli } from '../turns/turn-by-turn.js';
import { CommandAmbiguousError, CommandNotFoundError } from './commands.js';
import type { Session, SessionOptions } from './session.js';

/** What a conversation is held in, and what follows it. */
export interface ConversationSetup<Held extends Session> {
  readonly open: (options: SessionOptions) => Promise<Held>;
  readonly options: Omit<SessionOptions, 'review'>;
  /** Looks at the workspace after each turn; null to leave it alone. */
  readonly workspace: WorkspaceWatch | null;
  /** Returns the stages that a turn reached. */
  readonly stages?: (turn: Turn, change: WorkspaceChange) => readonly StageChange[];
}

/**
 * One conversation with an agent CLI: starts it, sends the turns, reviews the workspace after each, and ends it. The
 * scenarios, the factory for test authors and the MCP tools all hold their conversations with it.
 */
export class Conversation<Held extends Session = Session> {
  readonly session: Held;
  readonly #workspace: WorkspaceWatch | null;
  #reviewed = 0;

  private constructor(session: Held, workspace: WorkspaceWatch | null) {
    this.session = session;
    this.#workspace = workspace;
  }

  /** Opens the session. It is ready for turns only after `start`. */
  static async open<Held extends Session>(setup: ConversationSetup<Held>): Promise<Conversation<Held>> {
    const { workspace, stages, options } = setup;
    const review = async (turn: Turn): Promise<readonly StageChange[]> => {
      conversation.#reviewed = turn.number;
      const change = await workspace?.look(turn.number);
      return change === undefined ? [] : (stages?.(turn, change) ?? []);
    };
    const conversation: Conversation<Held> = new Conversation(
      await setup.open({ ...options, review }),
      workspace,
    );
    return conversation;
  }

  /** Waits until the CLI and its MCP servers are ready. Ends it if it does not get ready. */
  async start(): Promise<void> {
    try {
      await this.session.begin();
      await this.session.awaitServers();
    } catch (error) {
      await this.session.end();
      throw error;
    }
  }

  /** Sends a turn and waits until it has ended and the workspace was reviewed. */
  async say(turn: PlannedTurn, limitSeconds: number): Promise<Turn> {
    const said = await sayTurn(this.session, turn, limitSeconds);
    // A turn that was not sent was not reviewed. It has its snapshot all the same.
    if (this.#reviewed < said.number) await this.#workspace?.look(said.number);
    this.#reviewed = said.number;
    return said;
  }

  /** Ends the session and returns how the CLI ended. */
  end(): Promise<ProcessResult> {
    return this.session.end();
  }
}

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
  const turn = new TurnDraft(session.log.turns, { asked: prompt, sent: prompt }).close(outcome);
  session.log.turns.push(turn);
  return turn;
}

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
  const forms = FORMS[backend];
  if (forms === undefined) {
    throw new KnownError(`${backend} cannot hold conversations yet.`, {
      hint: `Backends that can: ${Object.keys(FORMS).join(', ')}.`,
    });
  }
  const open = form === undefined ? Object.values(forms)[0] : forms[form];
  if (open !== undefined) return open(options);
  throw new KnownError(`${backend} cannot hold a ${form} conversation.`, {
    hint: `Supported forms: ${Object.keys(forms).join(', ')}.`,
  });
}

function turnByTurn(cli: TurnCli): SessionOpener {
  return async (options) => new TurnByTurnSession(options, cli);
}
