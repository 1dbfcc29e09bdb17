import type { CallRecord, HookRun, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';

/** Gets what happens in a running turn, with a detail for human readers. */
type FollowTurn = (
  event: 'responding' | 'text' | 'tool-called' | 'command-recognised',
  detail: string,
) => void;

/** The cost of a turn, and its denied calls. */
export type TurnBill = Pick<
  Turn,
  'denied' | 'inputTokens' | 'outputTokens' | 'totalCostUsd' | 'serviceErrors'
>;

/** Returns the cost of a conversation so far. Each turn has the total; an unfinished turn has that of the turn before. */
export function findTotalCost(turns: readonly Turn[]): number {
  return turns.at(-1)?.totalCostUsd ?? 0;
}

/** Collects what happens in a turn. The reader of any CLI's output writes into it. */
export class TurnDraft {
  /** The cost of the session before this turn. */
  readonly spentBefore: number;
  readonly #number: number;
  readonly #prompt: { readonly asked: string; readonly sent: string };
  readonly #follow: FollowTurn;
  readonly #startedAt = new Date();
  readonly #texts: string[] = [];
  readonly #calls = new Map<string, CallRecord>();
  readonly #hooks: HookRun[] = [];
  #command: Turn['command'] = null;
  #lastCall: string | null = null;

  constructor(
    earlier: readonly Turn[],
    prompt: { readonly asked: string; readonly sent: string },
    follow: FollowTurn = () => {},
  ) {
    this.#number = earlier.length + 1;
    this.spentBefore = findTotalCost(earlier);
    this.#prompt = prompt;
    this.#follow = follow;
  }

  get calls(): readonly CallRecord[] {
    return [...this.#calls.values()];
  }

  get text(): string {
    return this.#texts.join('\n');
  }

  get elapsedSeconds(): number {
    return (Date.now() - this.#startedAt.getTime()) / 1000;
  }

  /** The last call. By order, a hook runs for it. */
  get lastCall(): string | null {
    return this.#lastCall;
  }

  /** Records that the agent is working, even if it says nothing. */
  respond(): void {
    this.#follow('responding', '');
  }

  /** Records a text of the agent or, with `parent`, of a subagent. Only the agent's own text is part of the answer. */
  say(text: string, parent: string | null = null): void {
    if (parent === null) this.#texts.push(text);
    this.#follow('text', `${text.length} characters`);
  }

  call(made: Omit<CallRecord, 'result' | 'isError'>): void {
    this.#lastCall = made.id;
    this.#calls.set(made.id, { ...made, result: null, isError: false });
    this.#follow('tool-called', made.id);
  }

  /** Records the result of a call. Ignores a result without a call. */
  answer(id: string, result: string, isError: boolean): void {
    const call = this.#calls.get(id);
    if (call !== undefined) this.#calls.set(id, { ...call, result, isError });
  }

  /** Records that the prompt was a command. `isNews` means that the CLI itself reported it. */
  recognise({ name, args }: NonNullable<Turn['command']>, isNews: boolean): void {
    this.#command ??= { name, args };
    if (isNews) this.#follow('command-recognised', `${name} ${args}`.trim());
  }

  hook(run: HookRun): void {
    this.#hooks.push(run);
  }

  /** Returns the finished turn. */
  close(outcome: TurnOutcome, bill: Partial<TurnBill> = {}, text: string = this.text): Turn {
    const lastText = this.#texts.length > 1 ? this.#texts.at(-1) : undefined;
    return {
      number: this.#number,
      ...this.#prompt,
      command: this.#command,
      startedAt: this.#startedAt.toISOString(),
      durationMs: Date.now() - this.#startedAt.getTime(),
      outcome,
      text,
      ...(lastText === undefined ? {} : { lastText }),
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
