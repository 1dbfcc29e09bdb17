import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseStreamLine, type SessionInit, type StreamEvent } from '../../../backends/claude/stream.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { messageOf } from '../../../domain/common/message-of.js';
import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { Dialog } from '../../../exec/process/dialog.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import { redactText } from '../../../exec/redact.js';
import { openDialogThrough } from '../../../isolation/dialog-inside.js';
import type { Launch, Passage } from '../../../isolation/launch.js';
import { SessionBook } from '../session/book.js';
import { AgentNotFoundError, type OfferedCommand, resolvePrompt } from '../session/commands.js';
import { explainEnd, outcomeOfEnd } from '../session/explain-end.js';
import type { SessionOptions } from '../session/options.js';
import type { Session } from '../session/session.js';
import type { StateLog } from '../session/state-log.js';
import { describeInit } from './about.js';
import { claudeArgs, initializeSchema } from './call.js';
import { ControlChannel, type Controlled } from './control-channel.js';
import { awaitServers, type McpServer } from './mcp-servers.js';
import { ClaudeTurn } from './turn.js';

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
  /** Hooks that ran while no turn was open, such as SessionStart. They belong to the turn that follows. */
  readonly #early: StreamEvent[] = [];
  #init: SessionInit | null = null;
  #servers: readonly McpServer[] = [];
  #turn: ClaudeTurn | null = null;
  #finishTurn: { resolve: (turn: Turn) => void; reject: (error: unknown) => void } | null = null;
  #gone: string | null = null;
  #over: TurnOutcome | null = null;

  private constructor(options: SessionOptions, id: string, passage: Passage | undefined) {
    this.#options = options;
    this.id = id;
    this.#book = new SessionBook(options);
    this.#dialog = openDialogThrough(passage, {
      ...launchOf(options, id),
      timeoutMs: options.sessionTimeoutSeconds * 1000,
      stdoutPath: join(options.artifacts, 'stdout.txt'),
      stderrPath: join(options.artifacts, 'stderr.txt'),
      secrets: options.secrets,
      marker: options.marker,
      onOutput: options.onOutput,
      pen: options.pen,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      onLine: (line) => {
        const event = parseStreamLine(redactText(line, options.secrets));
        if (event !== null) this.#take(event);
      },
    });
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
    return this.#turn === null ? null : { text: this.#turn.draft.text, calls: this.#turn.draft.calls };
  }

  /** Sends a prompt or a command and waits until the turn ends or its time is up. */
  async send(prompt: string, timeoutSeconds: number): Promise<Turn> {
    this.#book.requirePrompt();
    if (this.#gone !== null || this.#over !== null)
      throw new KnownError(`The session is over: ${this.#gone ?? describeOver(this.#over)}.`, {
        hint: 'Start another one.',
      });
    const sent = resolvePrompt(prompt, this.commands);
    const underWay = new ClaudeTurn(this.#book.open({ asked: prompt, sent }));
    this.#turn = underWay;
    for (const event of this.#early.splice(0)) underWay.take(event);
    const finished = new Promise<Turn>((resolve, reject) => {
      this.#finishTurn = { resolve, reject };
    });
    this.#dialog.write(JSON.stringify({ type: 'user', message: { role: 'user', content: sent } }));
    const timer = new AbortController();
    void sleep(timeoutSeconds * 1000, null, { signal: timer.signal })
      .then(() => this.#expire(underWay, timeoutSeconds))
      // The turn ended in time.
      .catch(() => {});
    const turn = await finished;
    timer.abort();
    return turn;
  }

  /** Ends the session because the CLI does not react to an interruption. */
  giveUp(): void {
    if (this.#turn !== null) this.#expire(this.#turn, Math.round(this.#turn.draft.elapsedSeconds));
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
    this.#dialog.closeInput();
    const patience = new AbortController();
    const quiet = await Promise.race([
      this.#dialog.ended,
      sleep(CLOSE_MS, null, { signal: patience.signal }).catch(() => null),
    ]);
    patience.abort();
    const result = quiet ?? (await this.#dialog.end());
    this.#book.end(quiet === null ? 'aborted' : 'closed');
    return result;
  }

  #take(event: StreamEvent): void {
    this.#options.onEvent?.(event);
    if (event.type === 'control_response') {
      this.#channel.take(event);
      return;
    }
    if (event.type === 'system' && event.subtype === 'init') this.#init = event;
    if (this.#turn === null) {
      if (event.type === 'system' && event.subtype === 'hook_response') this.#early.push(event);
      return;
    }
    this.#turn.take(event);
    if (event.type === 'result') this.#finish(this.#turn.finish(event));
  }

  #expire(underWay: ClaudeTurn, afterSeconds: number): void {
    if (this.#turn !== underWay) return;
    this.#over = { kind: 'timed-out', afterSeconds };
    this.#finish(underWay.breakOff(this.#over));
    // A late answer would be taken for the answer to the next prompt.
    void this.#dialog.end();
  }

  #breakOff(outcome: TurnOutcome): void {
    if (this.#turn !== null) this.#finish(this.#turn.breakOff(outcome));
    this.#book.end(outcome.kind === 'timed-out' ? 'timed-out' : 'crashed');
  }

  #finish(turn: Turn): void {
    this.#turn = null;
    const finish = this.#finishTurn;
    this.#finishTurn = null;
    this.#book.close(turn).then(
      (reviewed) => finish?.resolve(reviewed),
      (error) => finish?.reject(error),
    );
  }
}

/** Requires the agent of the call. Claude Code 2.1.325 ignores an unknown one without a word. */
function requireAgent(args: readonly string[], known: readonly string[]): void {
  const at = args.indexOf('--agent');
  const wanted = at < 0 ? undefined : args[at + 1];
  if (wanted === undefined || known.includes(wanted)) return;
  throw new AgentNotFoundError(`Expected the name of an agent, found ${JSON.stringify(wanted)}.`, {
    hint: `Agents of this session: ${known.join(', ') || 'none'}.`,
  });
}

function launchOf(options: SessionOptions, id: string): Launch {
  const { executable: command, cwd, env } = options;
  return { command, args: claudeArgs(options, id), cwd, env };
}

function describeOver(outcome: TurnOutcome | null): string {
  return outcome?.kind === 'timed-out'
    ? `a turn did not end within ${outcome.afterSeconds} s`
    : 'Claude Code has ended';
}
