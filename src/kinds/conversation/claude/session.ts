import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionInit, StreamEvent } from '../../../backends/claude/stream.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { messageOf } from '../../../domain/common/message-of.js';
import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { Dialog } from '../../../exec/process/dialog.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import type { Passage } from '../../../isolation/launch.js';
import { SessionBook } from '../session/book.js';
import { type OfferedCommand, resolvePrompt } from '../session/commands.js';
import { explainEnd, outcomeOfEnd } from '../session/explain-end.js';
import type { SessionOptions } from '../session/options.js';
import type { Session } from '../session/session.js';
import type { StateLog } from '../session/state-log.js';
import type { SessionEnd } from '../session/state-machine.js';
import { describeInit } from './about.js';
import { initializeSchema } from './call.js';
import { ControlChannel, type Controlled } from './control-channel.js';
import { launchOf, openClaudeDialog } from './dialog.js';
import { awaitServers, type McpServer } from './mcp-servers.js';
import { OpenTurn } from './open-turn.js';
import { requireAgent } from './required-agent.js';
import type { ClaudeTurn } from './turn.js';

const START_SECONDS = 60;
const CLOSE_MS = 5_000;

/** A conversation with Claude Code in one process, over its streaming input and control protocol. */
export class ClaudeSession implements Session, Controlled {
  readonly id: string;
  readonly #book: SessionBook;
  readonly #options: SessionOptions;
  readonly #dialog: Dialog;
  readonly #channel: ControlChannel;
  #commands: readonly OfferedCommand[] = [];
  readonly #open: OpenTurn;
  #init: SessionInit | null = null;
  #servers: readonly McpServer[] = [];
  #gone: string | null = null;
  #over: TurnOutcome | null = null;
  /** How the conversation ends because we end it; null while nobody has asked for that. */
  #closing: SessionEnd | null = null;

  private constructor(options: SessionOptions, id: string, passage: Passage | undefined) {
    this.#options = options;
    this.id = id;
    this.#book = new SessionBook(options);
    this.#open = new OpenTurn(this.#book);
    this.#dialog = openClaudeDialog(options, id, passage, (event) => this.#take(event));
    this.#channel = new ControlChannel(this.#dialog);
    void this.#dialog.ended.then(
      (result) =>
        this.#conclude(
          explainEnd(result, options.sessionTimeoutSeconds),
          outcomeOfEnd(result, options.sessionTimeoutSeconds),
        ),
      // The sandbox did not start. Whoever waits for the CLI, or ends it, gets the error.
      (error: unknown) => this.#conclude(messageOf(error), { kind: 'crashed', detail: messageOf(error) }),
    );
  }

  #conclude(how: string, outcome: TurnOutcome): void {
    this.#gone = how;
    this.#over ??= outcome;
    this.#breakOff(this.#over);
  }

  /** Starts the CLI. It is ready only after `begin`. */
  static async open(options: SessionOptions): Promise<ClaudeSession> {
    const id = randomUUID();
    return new ClaudeSession(options, id, await options.cell?.enter(launchOf(options, id)));
  }

  /** Starts the CLI and waits until it is ready. Ends it if it does not get ready. */
  static async start(options: SessionOptions): Promise<ClaudeSession> {
    const session = await ClaudeSession.open(options);
    try {
      await session.begin();
    } catch (error) {
      await session.end();
      throw error;
    }
    return session;
  }

  /** Asks the CLI which commands it offers. This does not call a model. */
  async begin(): Promise<void> {
    const answer = await this.control({ subtype: 'initialize' }, START_SECONDS);
    const { commands, agents } = initializeSchema.parse(answer);
    this.#commands = commands;
    requireAgent(
      this.#options.args,
      agents.map(({ name }) => name),
    );
    this.#book.begin();
  }

  async awaitServers(): Promise<void> {
    this.#servers = await awaitServers(this);
  }

  get states(): StateLog {
    return this.#book.states;
  }

  get turns(): Turn[] {
    return this.#book.turns;
  }

  /** The slash commands that the session offers. */
  get commands(): readonly OfferedCommand[] {
    const known = new Set(this.#commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
    // The CLI accepts more than it offers at the start.
    const more = (this.#init?.slash_commands ?? []).filter((name) => !known.has(name));
    return [
      ...this.#commands,
      ...more.map((name) => ({ name, aliases: [], description: '', argumentHint: '' })),
    ];
  }

  /** What the CLI reported before the latest turn: plugins and their errors, tools, agents, servers. */
  get init(): SessionInit | null {
    return this.#init;
  }

  get about(): ConversationRecord['init'] {
    return describeInit(this.#init, this.#servers);
  }

  /** How the CLI ended, or null while it runs. */
  get over(): TurnOutcome | null {
    return this.#over;
  }

  /** The current turn so far, or null. */
  get partial(): { readonly text: string; readonly calls: Turn['calls'] } | null {
    return this.#open.partial;
  }

  /** Sends a prompt or a command and waits until the turn ends or its time is up. */
  async send(prompt: string, timeoutSeconds: number): Promise<Turn> {
    this.#book.requirePrompt();
    if (this.#gone !== null || this.#over !== null)
      throw new KnownError(`The session is over: ${this.#gone ?? describeOver(this.#over)}.`, {
        hint: 'Start another one.',
      });
    const sent = resolvePrompt(prompt, this.commands);
    const { turn: underWay, finished } = this.#open.begin(prompt, sent);
    this.#dialog.write(JSON.stringify({ type: 'user', message: { role: 'user', content: sent } }));
    const timer = new AbortController();
    void sleep(timeoutSeconds * 1000, null, { signal: timer.signal })
      .then(() => this.#expire(underWay, timeoutSeconds))
      // The turn ended in time.
      .catch(() => {});
    // Also if the turn could not be reviewed: the timer would keep us running.
    return finished.finally(() => timer.abort());
  }

  /** Ends the session because the CLI does not react to an interruption. */
  giveUp(): void {
    const turn = this.#open.current;
    if (turn !== null) this.#expire(turn, Math.round(turn.draft.elapsedSeconds));
  }

  /** Cancels the current turn. The session continues. */
  async interrupt(): Promise<void> {
    await this.control({ subtype: 'interrupt' }, START_SECONDS);
  }

  /** Sends a request of the control protocol and returns its answer. */
  async control(request: Readonly<Record<string, unknown>>, timeoutSeconds: number): Promise<unknown> {
    return this.#channel.request(request, timeoutSeconds, () => this.#gone);
  }

  /** Closes the input, which lets the CLI exit in order. Ends it if it does not exit. */
  async end(): Promise<ProcessResult> {
    // A turn that ran out of time has ended the conversation already.
    if (this.#over === null) this.#closing = 'closed';
    this.#dialog.closeInput();
    const patience = new AbortController();
    const quiet = await Promise.race([
      this.#dialog.ended,
      sleep(CLOSE_MS, null, { signal: patience.signal }).catch(() => null),
    ]);
    patience.abort();
    if (quiet !== null) return quiet;
    if (this.#closing !== null) this.#closing = 'aborted';
    return this.#dialog.end();
  }

  #take(event: StreamEvent): void {
    this.#options.onEvent?.(event);
    if (event.type === 'control_response') {
      this.#channel.take(event);
      return;
    }
    if (event.type === 'system' && event.subtype === 'init') this.#init = event;
    this.#open.take(event);
  }

  #expire(underWay: ClaudeTurn, afterSeconds: number): void {
    if (this.#open.current !== underWay) return;
    this.#over = { kind: 'timed-out', afterSeconds };
    this.#open.breakOff(this.#over);
    // A late answer would be taken for the answer to the next prompt.
    void this.#dialog.end();
  }

  #breakOff(outcome: TurnOutcome): void {
    this.#open.breakOff(outcome);
    this.#book.end(this.#closing ?? (outcome.kind === 'timed-out' ? 'timed-out' : 'crashed'));
  }
}

function describeOver(outcome: TurnOutcome | null): string {
  return outcome?.kind === 'timed-out'
    ? `a turn did not end within ${outcome.afterSeconds} s`
    : 'Claude Code has ended';
}
