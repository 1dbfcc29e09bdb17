import { randomUUID } from 'node:crypto';
import type { Turn } from '../../../domain/evidence/conversation.js';
import { TurnDraft, type TurnNews } from '../turns/draft.js';
import { endOf } from './describe-outcome.js';
import type { SessionOptions } from './options.js';
import { StateLog } from './state-log.js';
import type { SessionEnd } from './state-machine.js';

/** What is kept of a conversation, however it is held: its states, and its turns one after the other. */
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

  /** The CLI is ready for the first prompt. */
  begin(): void {
    this.states.apply({ type: 'started', at: now() });
  }

  /** Refuses a prompt that the state does not allow. */
  requirePrompt(): void {
    this.states.require('send_prompt', now());
  }

  /** A prompt is on its way; what comes of it goes into the draft, and the states follow. */
  open(prompt: { readonly asked: string; readonly sent: string }): TurnDraft {
    const sent = { id: randomUUID(), text: prompt.sent, at: now() };
    this.states.apply({ type: 'prompt-sent', prompt: sent });
    return new TurnDraft(this.turns, prompt, (news) => this.#follow(news));
  }

  /** Writes down a turn that is over and looks at what it did. The next one waits for it. */
  async close(turn: Turn): Promise<Turn> {
    this.turns.push(turn);
    const stages = (await this.#review?.(turn)) ?? [];
    // The CLI may have gone in the meantime, which ended the conversation and its turn.
    if (this.states.state.name === 'IDLE') return turn;
    for (const { from, to, trigger } of stages) {
      this.states.apply({ type: 'stage-changed', from, to, trigger, at: now() });
    }
    this.states.apply({ type: 'turn-ended', reason: endOf(turn.outcome), at: now() });
    return turn;
  }

  /** The conversation is over. What was over before stays as it ended. */
  end(reason: SessionEnd): void {
    if (this.states.state.name !== 'IDLE') this.states.apply({ type: 'ended', reason, at: now() });
  }

  /** The states follow what the CLI prints. */
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
