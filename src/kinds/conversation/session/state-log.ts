import { KnownError } from '../../../domain/common/known-error.js';
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
} from './state-machine.js';

/** One line of the state log: an event and the state it led to, or why it was refused. */
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

const END_WORDS: Readonly<Record<string, string>> = {
  closed: 'end_conversation ended it',
  aborted: 'it was interrupted',
  'timed-out': 'it reached its time limit',
  crashed: 'its agent CLI exited',
} satisfies Readonly<Record<SessionEnd, string>>;

/** Keeps the state of one conversation and the log of its changes. Illegal events are logged and change nothing. */
export class StateLog {
  #state: ConversationState = IDLE;
  readonly #changes: StateChange[] = [];
  readonly #onChange: (change: StateChange) => void;

  constructor(onChange: (change: StateChange) => void = () => {}) {
    this.#onChange = onChange;
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
    const at = event.type === 'prompt-sent' ? event.prompt.at : event.at;
    this.#record({
      at,
      event: event.type,
      to: next?.name ?? this.#state.name,
      illegal: next === null,
      detail: describeEvent(event),
    });
    if (next !== null) this.#state = next;
  }

  /** Throws if the state does not allow a prompt. A slash command is one too. */
  requirePrompt(at: string): void {
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

  #record(change: Omit<StateChange, 'from'>): void {
    const made = { ...change, from: this.#state.name };
    this.#changes.push(made);
    this.#onChange(made);
  }
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
