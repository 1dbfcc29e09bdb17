import type { StreamEvent } from '../../../backends/claude/stream.js';
import type { Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { SessionBook } from '../session/book.js';
import { ClaudeTurn } from './turn.js';

/** The turn of a session that is under way, if any. */
export class OpenTurn {
  readonly #book: SessionBook;
  /** Hooks that ran while no turn was open, such as SessionStart. They belong to the turn that follows. */
  readonly #early: StreamEvent[] = [];
  #turn: ClaudeTurn | null = null;
  #settle: { resolve: (turn: Turn) => void; reject: (error: unknown) => void } | null = null;

  constructor(book: SessionBook) {
    this.#book = book;
  }

  get current(): ClaudeTurn | null {
    return this.#turn;
  }

  /** The turn so far, or null. */
  get partial(): { readonly text: string; readonly calls: Turn['calls'] } | null {
    return this.#turn === null ? null : { text: this.#turn.draft.text, calls: this.#turn.draft.calls };
  }

  /** Opens a turn. `finished` is kept when its result has come, or it was broken off. */
  begin(asked: string, sent: string): { readonly turn: ClaudeTurn; readonly finished: Promise<Turn> } {
    const turn = new ClaudeTurn(this.#book.open({ asked, sent }));
    this.#turn = turn;
    for (const event of this.#early.splice(0)) turn.take(event);
    const finished = new Promise<Turn>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    return { turn, finished };
  }

  take(event: StreamEvent): void {
    if (this.#turn === null) {
      if (event.type === 'system' && event.subtype === 'hook_response') this.#early.push(event);
      return;
    }
    this.#turn.take(event);
    if (event.type === 'result') this.#finish(this.#turn.finish(event));
  }

  /** Ends the turn without a result. */
  breakOff(outcome: TurnOutcome): void {
    if (this.#turn !== null) this.#finish(this.#turn.breakOff(outcome));
  }

  #finish(turn: Turn): void {
    this.#turn = null;
    const settle = this.#settle;
    this.#settle = null;
    this.#book.close(turn).then(
      (reviewed) => settle?.resolve(reviewed),
      (error) => settle?.reject(error),
    );
  }
}
