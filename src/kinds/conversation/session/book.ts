import { randomUUID } from 'node:crypto';
import type { Turn } from '../../../domain/evidence/conversation.js';
import { TurnDraft, type TurnNews } from '../turns/draft.js';
import { endOf } from './describe-outcome.js';
import type { SessionOptions } from './options.js';
import { StateLog } from './state-log.js';
import type { SessionEnd } from './state-machine.js';

/** Records the states and turns of a conversation, however it is held. */
export class SessionBook {
  readonly states: StateLog;
  readonly turns: Turn[] = [];
  readonly #review: SessionOptions['review'];
  readonly #onCall: () => void;

  constructor({ onStateChange, review, onCall }: SessionOptions) {
    this.states = new StateLog(onStateChange);
    this.#review = review;
    this.#onCall = onCall ?? (() => {});
  }

  /** Records that the CLI is ready for the first prompt. */
  begin(): void {
    this.states.apply({ type: 'started', at: now() });
  }

  /** Throws if the state does not allow a prompt. */
  requirePrompt(): void {
    this.states.requirePrompt(now());
  }

  /** Records a sent prompt and returns the draft of its turn. The states follow the draft. */
  open(prompt: { readonly asked: string; readonly sent: string }): TurnDraft {
    const sent = { id: randomUUID(), text: prompt.sent, at: now() };
    this.states.apply({ type: 'prompt-sent', prompt: sent });
    return new TurnDraft(this.turns, prompt, (news) => this.#follow(news));
  }

  /** Records a finished turn and reviews what it did. The next turn waits for the review. */
  async close(turn: Turn): Promise<Turn> {
    this.turns.push(turn);
    const stages = (await this.#review?.(turn)) ?? [];
    // The CLI may have exited meanwhile, which ended the conversation and its turn.
    if (this.states.state.name === 'IDLE') return turn;
    for (const { from, to, trigger } of stages) {
      this.states.apply({ type: 'stage-changed', from, to, trigger, at: now() });
    }
    this.states.apply({ type: 'turn-ended', reason: endOf(turn.outcome), at: now() });
    return turn;
  }

  /** Records the end of the conversation. A conversation that already ended keeps its first end. */
  end(reason: SessionEnd): void {
    if (this.states.state.name !== 'IDLE') this.states.apply({ type: 'ended', reason, at: now() });
  }

  /** Updates the states from the output of the CLI. */
  #follow(news: TurnNews): void {
    const at = now();
    if (this.states.state.name === 'USER_PROMPT') {
      this.states.apply({ type: 'responding', responseId: randomUUID(), at });
    }
    switch (news.type) {
      case 'responding':
        return;
      case 'text':
        return this.states.apply({ type: 'text', text: news.text, at });
      case 'call':
        this.states.apply({ type: 'tool-called', id: news.id, at });
        return this.#onCall();
      case 'command': {
        const { name: command, args } = news;
        const executionId = randomUUID();
        return this.states.apply({ type: 'command-recognised', command, args, executionId, at });
      }
      default:
        news satisfies never;
    }
  }
}

function now(): string {
  return new Date().toISOString();
}
