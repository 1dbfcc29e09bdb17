import { KnownError } from '../../../domain/common/known-error.js';
import type { StageChange, Turn } from '../../../domain/evidence/conversation.js';
import { TurnDraft } from '../turns/draft.js';
import { endOf } from './outcome.js';
import { type ConversationEvent, type SessionEnd, STATES, type State, type StateName } from './states.js';

/** One line of the log: an event and the state it led to, or why it was refused. */
export interface StateChange {
  /** When it happened, as an ISO date. */
  readonly at: string;
  /** The event, or `send_prompt` if that was refused. */
  readonly event: ConversationEvent | 'send_prompt';
  /** The state before. */
  readonly from: StateName;
  /** The state afterwards. */
  readonly to: StateName;
  /** True if the state did not allow the event or action. */
  readonly illegal: boolean;
  /** More about the event, for human readers. */
  readonly detail: string;
}

/** The error for an action that the state of a conversation does not allow. */
export class StateTransitionError extends KnownError {}

/** Who follows a session. */
export interface SessionFollowers {
  readonly onStateChange?: (change: StateChange) => void;
  /** Called for every tool call, as soon as the CLI shows it. */
  readonly onCall?: () => void;
  /** Reviews the workspace after a turn and returns the stages it reached. The next turn waits for it. */
  readonly review?: (turn: Turn) => Promise<readonly StageChange[]>;
}

const END_WORDS: Readonly<Record<string, string>> = {
  closed: 'end_conversation ended it',
  aborted: 'it was interrupted',
  'timed-out': 'it reached its time limit',
  crashed: 'its agent CLI exited',
} satisfies Readonly<Record<SessionEnd, string>>;

/** Records the states and turns of a session, however it is held. Illegal events are logged and change nothing. */
export class SessionLog {
  readonly turns: Turn[] = [];
  readonly #changes: StateChange[] = [];
  readonly #followers: SessionFollowers;
  #state: State = 'IDLE';

  constructor(followers: SessionFollowers = {}) {
    this.#followers = followers;
  }

  get state(): StateName {
    return STATES[this.#state].name;
  }

  get changes(): readonly StateChange[] {
    return this.#changes;
  }

  get illegal(): readonly StateChange[] {
    return this.#changes.filter((change) => change.illegal);
  }

  /** Applies what really happened. An event that the state does not allow is recorded; it does not throw. */
  apply(event: ConversationEvent, detail = ''): void {
    const next = STATES[this.#state].next[event];
    this.#record(event, detail, next ?? this.#state, next === undefined);
    this.#state = next ?? this.#state;
  }

  /** Throws if the state does not allow a prompt. A slash command is one too. */
  requirePrompt(): void {
    const { name, tools } = STATES[this.#state];
    if (tools.includes('send_prompt')) return;
    const end = this.#changes.findLast(({ event, illegal }) => event === 'ended' && !illegal);
    this.#record('send_prompt', `not allowed in ${name}`, this.#state, true);
    if (name === 'IDLE' && end !== undefined) {
      throw new StateTransitionError(
        `A prompt or command needs a conversation that runs, but this one has ended: ${END_WORDS[end.detail] ?? end.detail}.`,
        { hint: 'Start another one with start_conversation. get_conversation_history still has this one.' },
      );
    }
    throw new StateTransitionError(
      `A prompt or command cannot be sent while the conversation is in ${name}.`,
      {
        hint: `Tools that work now: ${tools.join(', ')}. To cancel a turn, cancel the call that waits for it.`,
      },
    );
  }

  /** Records a sent prompt and returns the draft of its turn. The states follow the draft. */
  openTurn(prompt: { readonly asked: string; readonly sent: string }): TurnDraft {
    this.apply('prompt-sent', prompt.sent.slice(0, 200));
    return new TurnDraft(this.turns, prompt, (event, detail) => {
      if (this.#state === 'SENT') this.apply('responding');
      if (event !== 'responding') this.apply(event, detail);
      if (event === 'tool-called') this.#followers.onCall?.();
    });
  }

  /** Records a finished turn and has it reviewed. The next turn waits for the review. */
  async closeTurn(turn: Turn): Promise<Turn> {
    this.turns.push(turn);
    const stages = (await this.#followers.review?.(turn)) ?? [];
    // The CLI may have exited meanwhile, which ended the conversation and its turn.
    if (this.#state === 'IDLE') return turn;
    for (const { from, to, trigger } of stages) this.apply('stage-changed', `${from} -> ${to} (${trigger})`);
    this.apply('turn-ended', endOf(turn.outcome));
    return turn;
  }

  /** Records the end of the conversation. A conversation that already ended keeps its first end. */
  end(reason: SessionEnd): void {
    if (this.#state !== 'IDLE') this.apply('ended', reason);
  }

  #record(event: StateChange['event'], detail: string, to: State, illegal: boolean): void {
    const change: StateChange = {
      ...{ at: new Date().toISOString(), event, detail, illegal },
      ...{ from: this.state, to: STATES[to].name },
    };
    this.#changes.push(change);
    this.#followers.onStateChange?.(change);
  }
}
