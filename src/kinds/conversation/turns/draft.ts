import type { CallRecord, HookRun, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';

/** What a turn that is under way shows, as it comes. */
export type TurnNews =
  | { readonly type: 'responding' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string }
  | { readonly type: 'command'; readonly name: string; readonly args: string };

/** What a turn cost, and what of it was not allowed. */
export type TurnBill = Pick<Turn, 'denied' | 'inputTokens' | 'outputTokens' | 'totalCostUsd'>;

/** What a conversation has cost so far: each turn tells the total, and one that did not end that of the one before. */
export function findTotalCost(turns: readonly Turn[]): number {
  return turns.at(-1)?.totalCostUsd ?? 0;
}

/** A turn in the making, whichever CLI it is held with: whoever reads the CLI's output writes into it. */
export class TurnDraft {
  /** What the session had cost before this turn. */
  readonly spentBefore: number;
  readonly #number: number;
  readonly #prompt: { readonly asked: string; readonly sent: string };
  readonly #onNews: (news: TurnNews) => void;
  readonly #startedAt = new Date();
  readonly #texts: string[] = [];
  readonly #calls = new Map<string, CallRecord>();
  readonly #hooks: HookRun[] = [];
  #command: Turn['command'] = null;
  #lastCall: string | null = null;

  constructor(
    earlier: readonly Turn[],
    prompt: { readonly asked: string; readonly sent: string },
    onNews: (news: TurnNews) => void = () => {},
  ) {
    this.#number = earlier.length + 1;
    this.spentBefore = findTotalCost(earlier);
    this.#prompt = prompt;
    this.#onNews = onNews;
  }

  get calls(): readonly CallRecord[] {
    return [...this.#calls.values()];
  }

  get text(): string {
    return this.#texts.join('\n');
  }

  /** The call that was made last: what a hook runs for, by order. */
  get lastCall(): string | null {
    return this.#lastCall;
  }

  /** The agent is at work, whether or not it says anything. */
  respond(): void {
    this.#onNews({ type: 'responding' });
  }

  /** The agent, or with `parent` one that it sent out, says something. Only its own words are the answer. */
  say(text: string, parent: string | null = null): void {
    if (parent === null) this.#texts.push(text);
    this.#onNews({ type: 'text', text });
  }

  call(made: Omit<CallRecord, 'result' | 'isError'>): void {
    this.#lastCall = made.id;
    this.#calls.set(made.id, { ...made, result: null, isError: false });
    this.#onNews({ type: 'call', id: made.id });
  }

  /** What came back from a call; an answer to a call that was never made is none. */
  answer(id: string, result: string, isError: boolean): void {
    const call = this.#calls.get(id);
    if (call !== undefined) this.#calls.set(id, { ...call, result, isError });
  }

  /** The prompt was a command; news of it where the CLI itself says so. */
  recognise(command: { readonly name: string; readonly args: string }, isNews: boolean): void {
    this.#command ??= command;
    if (isNews) this.#onNews({ type: 'command', ...command });
  }

  hook(run: HookRun): void {
    this.#hooks.push(run);
  }

  /** The turn, now that it is over. */
  close(outcome: TurnOutcome, bill: Partial<TurnBill> = {}, text: string = this.text): Turn {
    return {
      number: this.#number,
      ...this.#prompt,
      command: this.#command,
      startedAt: this.#startedAt.toISOString(),
      durationMs: Date.now() - this.#startedAt.getTime(),
      outcome,
      text,
      calls: this.calls,
      hooks: this.#hooks,
      denied: [],
      inputTokens: 0,
      outputTokens: 0,
      totalCostUsd: this.spentBefore,
      ...bill,
    };
  }
}
