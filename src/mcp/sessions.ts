import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Turn } from '../domain/evidence/conversation.js';
import type { WorkflowDefinition } from '../domain/scenario/workflow.js';
import { ClaudeSession } from '../kinds/conversation/claude/session.js';
import { resolvePrompt } from '../kinds/conversation/session/commands.js';
import { Conversation } from '../kinds/conversation/session/conversation.js';
import type { SessionOptions } from '../kinds/conversation/session/session.js';
import { WorkflowStages } from '../kinds/conversation/stages/tracker.js';
import { WorkspaceWatch } from '../kinds/conversation/stages/workspace.js';
import { ToolError } from './errors.js';
import type { RegisteredPlugin } from './plugins/registry.js';
import { SessionTimes } from './session-times.js';

/** The options of a session that tools work with. */
export interface ManagedSessionOptions extends Omit<SessionOptions, 'onEvent' | 'review'> {
  /** The agent that answers, or null for Claude Code itself. */
  readonly agentMode: string | null;
  /** Its home in the offline lanes. */
  readonly home: string;
  readonly plugins: readonly RegisteredPlugin[];
  readonly workflows: readonly WorkflowDefinition[];
  /** Releases what was set up for this session: its model server, its home. */
  readonly release: () => Promise<void>;
}

/** A prompt or command that is running or finished. */
export interface TurnExchange {
  readonly id: string;
  readonly kind: 'prompt' | 'command';
  readonly asked: string;
  /** What the CLI got: a short name of a command is resolved. */
  readonly sent: string;
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

/** One conversation with its exchanges. Tools do not wait for its turns unless they are asked to. */
export class ManagedSession {
  readonly createdAt = new Date().toISOString();
  readonly options: ManagedSessionOptions;
  readonly session: ClaudeSession;
  readonly times: SessionTimes;
  readonly workflows: WorkflowStages;
  readonly #conversation: Conversation<ClaudeSession>;
  readonly #exchanges = new Map<string, TurnExchange>();
  #endedAt: string | null = null;

  private constructor(
    options: ManagedSessionOptions,
    conversation: Conversation<ClaudeSession>,
    followers: { readonly times: SessionTimes; readonly workflows: WorkflowStages },
  ) {
    this.options = options;
    this.#conversation = conversation;
    this.session = conversation.session;
    this.times = followers.times;
    this.workflows = followers.workflows;
  }

  /** Starts the CLI. Releases what was set up for it if it does not start. */
  static async start(options: ManagedSessionOptions): Promise<ManagedSession> {
    const times = new SessionTimes();
    const workflows = new WorkflowStages(options.workflows);
    try {
      const conversation = await Conversation.open({
        open: (given) => ClaudeSession.open(given),
        options: { ...options, onEvent: (event) => times.take(event) },
        workspace: await WorkspaceWatch.open(options.cwd),
        stages: (turn, change) => workflows.takeByPlugin(turn, change),
      });
      await conversation.start();
      return new ManagedSession(options, conversation, { times, workflows });
    } catch (error) {
      await options.release();
      throw error;
    }
  }

  get id(): string {
    return this.session.id;
  }

  get endedAt(): string | null {
    return this.#endedAt;
  }

  get turns(): readonly Turn[] {
    return this.session.log.turns;
  }

  get exchanges(): readonly TurnExchange[] {
    return [...this.#exchanges.values()];
  }

  /** The agent that answers. */
  get agentName(): string {
    return this.options.agentMode ?? 'default';
  }

  /** The stage of the active workflow, or null. */
  get stage(): string | null {
    return this.workflows.active?.stage ?? null;
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
      kind,
      asked: text,
      sent: resolvePrompt(text, this.session.commands),
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
        .then((turn) => {
          this.times.attach(turn);
          exchange.stage = this.stage;
          exchange.turn = turn;
        })
        .catch((error: unknown) => {
          exchange.failure = error instanceof Error ? error : new Error(String(error));
        })
        .finally(() => over.abort()),
    };
    this.#exchanges.set(exchange.id, exchange);
    void sleep(timeoutSeconds * 1000, null, { signal: over.signal })
      .then(() => {
        exchange.timedOut = true;
        return this.#breakOff(over.signal);
      })
      // It ended in time, or it has ended by now.
      .catch(() => {});
    return exchange;
  }

  /** Ends the conversation and releases what was set up for it. A second call does nothing. */
  async end(): Promise<void> {
    if (this.#endedAt !== null) return;
    this.#endedAt = new Date().toISOString();
    await this.#conversation.end();
    await Promise.all(this.exchanges.map(({ done }) => done));
    await this.options.release();
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
}

interface FoundExchange {
  readonly session: ManagedSession;
  readonly exchange: TurnExchange;
}

/** Keeps the open and the ended conversations. Several can be open at once, independent of each other. */
export class SessionManager {
  readonly #sessions = new Map<string, ManagedSession>();

  async start(options: ManagedSessionOptions): Promise<ManagedSession> {
    const session = await ManagedSession.start(options);
    this.#sessions.set(session.id, session);
    return session;
  }

  get all(): readonly ManagedSession[] {
    return [...this.#sessions.values()];
  }

  /** The conversations that have not ended. */
  get open(): readonly ManagedSession[] {
    return this.all.filter(({ endedAt }) => endedAt === null);
  }

  get(id: string): ManagedSession {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    const open = this.open.map((known) => known.id);
    throw new ToolError(
      'SessionNotFoundError',
      `There is no conversation ${JSON.stringify(id.slice(0, 100))}.`,
      `Start one with start_conversation. Open conversations: ${open.join(', ') || 'none'}.`,
    );
  }

  /** Finds a prompt or command by the id that its tool returned. A command is a prompt, too. */
  find(id: string, kind: TurnExchange['kind']): FoundExchange {
    for (const session of this.all) {
      const exchange = session.find(id);
      if (exchange !== undefined && (kind === 'prompt' || exchange.kind === kind))
        return { session, exchange };
    }
    const [errorName, what, tool] =
      kind === 'prompt'
        ? (['ResponseNotFoundError', 'response', 'send_prompt'] as const)
        : (['ExecutionNotFoundError', 'execution', 'execute_command'] as const);
    throw new ToolError(
      errorName,
      `There is no ${what} ${JSON.stringify(id.slice(0, 100))}.`,
      `Use the ${what}_id that ${tool} returned.`,
    );
  }

  /** Ends every conversation and returns how many were open. */
  async endAll(): Promise<number> {
    const { open } = this;
    await Promise.all(open.map((session) => session.end()));
    return open.length;
  }

  /** Forgets the conversations that have ended. */
  forgetEnded(): void {
    for (const { id, endedAt } of this.all) if (endedAt !== null) this.#sessions.delete(id);
  }
}
