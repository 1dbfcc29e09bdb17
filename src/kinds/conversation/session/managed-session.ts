import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Turn } from '../../../domain/evidence/conversation.js';
import type { WorkflowDefinition } from '../../../domain/scenario/workflow.js';
import { ClaudeSession } from '../claude/session.js';
import { HookJournal } from '../hook-journal.js';
import { StageBook } from '../stages/book.js';
import type { StageTracker } from '../stages/tracker.js';
import type { StageVisit } from '../stages/visits.js';
import { World } from '../stages/world.js';
import { CallClock } from './call-clock.js';
import { resolvePrompt } from './commands.js';
import type { SessionOptions } from './options.js';

/** The options of a managed conversation. */
export interface ManagedSessionOptions extends Omit<SessionOptions, 'onEvent' | 'review'> {
  readonly workflows: readonly WorkflowDefinition[];
  /** Releases what was set up for this conversation: its model server, its home. */
  readonly release: () => Promise<void>;
}

/** A prompt or command that is running or finished. */
export interface TurnExchange {
  readonly id: string;
  readonly sessionId: string;
  readonly kind: 'prompt' | 'command';
  readonly asked: string;
  /** What the CLI got: a short name of a command is resolved. */
  readonly sent: string;
  readonly startedAt: string;
  readonly timeoutSeconds: number;
  /** Null while it is running, and if it produced no turn. */
  turn: Turn | null;
  /** True if we cancelled it at its time limit. */
  timedOut: boolean;
  /** Cancels it. The session continues, unless the CLI does not react. */
  readonly cancel: () => void;
  /** The stage of the workflow afterwards. */
  stage: string | null;
  /** Why it was not sent, or why we do not know how it ended. */
  failure: Error | null;
  readonly done: Promise<void>;
}

/** How long the CLI may take to cancel a turn before we end it. */
const BREAK_OFF_SECONDS = 20;
const ASK_AGAIN_MS = 1_000;

/** One conversation with its exchanges, stages and hooks. It shares nothing with other conversations. */
export class ManagedSession {
  readonly createdAt = new Date().toISOString();
  readonly hooks: HookJournal;
  readonly clock: CallClock;
  readonly session: ClaudeSession;
  readonly #options: ManagedSessionOptions;
  readonly #stages: StageBook;
  readonly #exchanges = new Map<string, TurnExchange>();
  #endedAt: string | null = null;

  private constructor(
    session: ClaudeSession,
    kept: { readonly hooks: HookJournal; readonly clock: CallClock; readonly stages: StageBook },
    options: ManagedSessionOptions,
  ) {
    this.session = session;
    this.hooks = kept.hooks;
    this.clock = kept.clock;
    this.#stages = kept.stages;
    this.#options = options;
  }

  /** Starts the CLI. Releases what was set up for it if it does not start. */
  static async start(options: ManagedSessionOptions): Promise<ManagedSession> {
    const hooks = new HookJournal();
    const clock = new CallClock();
    try {
      const stages = new StageBook(options.workflows, await World.open(options.cwd));
      const session = await ClaudeSession.start({
        ...options,
        onEvent: (event) => {
          hooks.take(event);
          clock.take(event);
        },
        review: (turn) => stages.review(turn),
      });
      return new ManagedSession(session, { hooks, clock, stages }, options);
    } catch (error) {
      await options.release();
      throw error;
    }
  }

  get id(): string {
    return this.session.id;
  }

  get workingDirectory(): string {
    return this.#options.cwd;
  }

  get artifacts(): string {
    return this.#options.artifacts;
  }

  get endedAt(): string | null {
    return this.#endedAt;
  }

  get exchanges(): readonly TurnExchange[] {
    return [...this.#exchanges.values()];
  }

  /** The active workflow. */
  get tracker(): StageTracker | null {
    return this.#stages.active;
  }

  /** When the active workflow entered its stage. */
  get stageSince(): string | null {
    return this.#stages.since;
  }

  /** The stays in the stages of the active workflow, with their times. */
  get stageVisits(): readonly StageVisit[] {
    return this.#stages.visits;
  }

  find(exchangeId: string): TurnExchange | undefined {
    return this.#exchanges.get(exchangeId);
  }

  /** Sends a prompt or a command and returns at once. `done` resolves when it is over. Throws if it is refused. */
  async begin(kind: TurnExchange['kind'], text: string, timeoutSeconds: number): Promise<TurnExchange> {
    // The limit of the turn itself is only a safety net for ours.
    const sending = this.session.send(text, timeoutSeconds + 2 * BREAK_OFF_SECONDS);
    // A refusal comes at once, before an exchange exists.
    await Promise.race([sending, Promise.resolve()]);
    const over = new AbortController();
    let cancelled = false;
    const exchange: TurnExchange = {
      id: randomUUID(),
      sessionId: this.id,
      kind,
      asked: text,
      sent: resolvePrompt(text, this.session.commands),
      startedAt: new Date().toISOString(),
      timeoutSeconds,
      turn: null,
      timedOut: false,
      cancel: () => {
        if (cancelled || over.signal.aborted) return;
        cancelled = true;
        void this.#breakOff(over.signal).catch(() => {});
      },
      stage: null,
      failure: null,
      done: sending
        .then((turn) => this.#finish(exchange, turn))
        .catch((error: unknown) => {
          exchange.failure = error instanceof Error ? error : new Error(String(error));
        })
        .finally(() => over.abort()),
    };
    this.#exchanges.set(exchange.id, exchange);
    void sleep(timeoutSeconds * 1000, null, { signal: over.signal })
      .then(() => this.#expire(exchange, over.signal))
      // It ended in time, or it has ended by now.
      .catch(() => {});
    return exchange;
  }

  /** Ends the conversation and releases what was set up for it. A second call does nothing. */
  async end(): Promise<void> {
    if (this.#endedAt !== null) return;
    this.#endedAt = new Date().toISOString();
    await this.session.end();
    await Promise.all(this.exchanges.map(({ done }) => done));
    await this.#options.release();
  }

  async #expire(exchange: TurnExchange, over: AbortSignal): Promise<void> {
    exchange.timedOut = true;
    await this.#breakOff(over);
  }

  /** Cancels only the turn, so that the session can continue. Ends the session if the CLI does not react. */
  async #breakOff(over: AbortSignal): Promise<void> {
    void sleep(BREAK_OFF_SECONDS * 1000, null, { signal: over })
      .then(() => this.session.giveUp())
      .catch(() => {});
    // A CLI that has not started the turn yet ignores the request and starts the turn afterwards, so we ask again.
    while (!over.aborted) {
      await this.session.interrupt();
      await sleep(ASK_AGAIN_MS, null, { signal: over });
    }
  }

  #finish(exchange: TurnExchange, turn: Turn): void {
    this.hooks.attach(turn);
    exchange.stage = this.tracker?.stage ?? null;
    exchange.turn = turn;
  }
}
