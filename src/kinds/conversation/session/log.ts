import { randomUUID } from 'node:crypto';
import { KnownError } from '../../../domain/common/known-error.js';
import type { StageChange, Turn } from '../../../domain/evidence/conversation.js';
import { TurnDraft, type TurnNews } from '../turns/draft.js';
import { endOf } from './outcome.js';
import {
  allowedActions,
  type ConversationAction,
  type ConversationEvent,
  type ConversationState,
  IDLE,
  nextState,
  type SessionEnd,
  type StateName,
  toolsFor,
} from './states.js';

/** One line of the log: an event and the state it led to, or why it was refused. */
export interface StateChange {
  /** When it happened, as an ISO date. */
  readonly at: string;
  /** The event, or the action that was refused. */
  readonly event: ConversationEvent['type'] | ConversationAction;
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
  #state: ConversationState = IDLE;

  constructor(followers: SessionFollowers = {}) {
    this.#followers = followers;
  }

  get state(): ConversationState {
    return this.#state;
  }

  get changes(): readonly StateChange[] {
    return this.#changes;
  }

  get illegal(): readonly StateChange[] {
    return this.#changes.filter((change) => change.illegal);
  }

  /** Applies what really happened. An event that the state does not allow is recorded; it does not throw. */
  apply(event: ConversationEvent): void {
    const next = nextState(this.#state, event);
    this.#record({
      at: event.type === 'prompt-sent' ? event.prompt.at : event.at,
      event: event.type,
      to: next?.name ?? this.#state.name,
      illegal: next === null,
      detail: describeEvent(event),
    });
    if (next !== null) this.#state = next;
  }

  /** Records that the CLI is ready for the first prompt. */
  begin(): void {
    this.apply({ type: 'started', at: now() });
  }

  /** Throws if the state does not allow a prompt. A slash command is one too. */
  requirePrompt(at: string = now()): void {
    const allowed = allowedActions(this.#state);
    if (allowed.includes('send_prompt')) return;
    const { name } = this.#state;
    const end = this.#changes.findLast(({ event, illegal }) => event === 'ended' && !illegal);
    this.#record({ at, event: 'send_prompt', to: name, illegal: true, detail: `not allowed in ${name}` });
    if (name === 'IDLE' && end !== undefined) {
      throw new StateTransitionError(
        `A prompt or command needs a conversation that runs, but this one has ended: ${END_WORDS[end.detail] ?? end.detail}.`,
        { hint: 'Start another one with start_conversation. get_conversation_history still has this one.' },
      );
    }
    throw new StateTransitionError(
      `A prompt or command cannot be sent while the conversation is in ${name}.`,
      {
        hint: `Tools that work now: ${toolsFor(allowed).join(', ')}. To cancel a turn, cancel the call that waits for it.`,
      },
    );
  }

  /** Records a sent prompt and returns the draft of its turn. The states follow the draft. */
  openTurn(prompt: { readonly asked: string; readonly sent: string }): TurnDraft {
    this.apply({ type: 'prompt-sent', prompt: { id: randomUUID(), text: prompt.sent, at: now() } });
    return new TurnDraft(this.turns, prompt, (news) => this.#follow(news));
  }

  /** Records a finished turn and has it reviewed. The next turn waits for the review. */
  async closeTurn(turn: Turn): Promise<Turn> {
    this.turns.push(turn);
    const stages = (await this.#followers.review?.(turn)) ?? [];
    // The CLI may have exited meanwhile, which ended the conversation and its turn.
    if (this.#state.name === 'IDLE') return turn;
    for (const { from, to, trigger } of stages)
      this.apply({ type: 'stage-changed', from, to, trigger, at: now() });
    this.apply({ type: 'turn-ended', reason: endOf(turn.outcome), at: now() });
    return turn;
  }

  /** Records the end of the conversation. A conversation that already ended keeps its first end. */
  end(reason: SessionEnd): void {
    if (this.#state.name !== 'IDLE') this.apply({ type: 'ended', reason, at: now() });
  }

  /** Updates the states from the output of the CLI. */
  #follow(news: TurnNews): void {
    const at = now();
    if (this.#state.name === 'USER_PROMPT') this.apply({ type: 'responding', responseId: randomUUID(), at });
    if (news.type === 'responding') return;
    if (news.type === 'command-recognised') return this.apply({ ...news, executionId: randomUUID(), at });
    this.apply({ ...news, at });
    if (news.type === 'tool-called') this.#followers.onCall?.();
  }

  #record(change: Omit<StateChange, 'from'>): void {
    const made = { ...change, from: this.#state.name };
    this.#changes.push(made);
    this.#followers.onStateChange?.(made);
  }
}

function now(): string {
  return new Date().toISOString();
}

function describeEvent(event: ConversationEvent): string {
  switch (event.type) {
    case 'prompt-sent':
      return event.prompt.text.slice(0, 200);
    case 'responding':
      return event.responseId;
    case 'tool-called':
      return event.id;
    case 'command-recognised':
      return `${event.command} ${event.args}`.trim();
    case 'stage-changed':
      return `${event.from} -> ${event.to} (${event.trigger})`;
    case 'turn-ended':
    case 'ended':
      return event.reason;
    case 'text':
      return `${event.text.length} characters`;
    case 'started':
      return '';
    default:
      return event satisfies never;
  }
}
