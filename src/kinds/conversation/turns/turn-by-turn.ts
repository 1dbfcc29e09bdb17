import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { Dialog } from '../../../exec/process/dialog.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import { redactText } from '../../../exec/redact.js';
import { openDialogThrough } from '../../../isolation/run-inside.js';
import { SessionBook } from '../session/book.js';
import { type OfferedCommand, resolvePrompt } from '../session/commands.js';
import { describeOutcome } from '../session/describe-outcome.js';
import { outcomeOfEnd } from '../session/explain-end.js';
import type { SessionOptions } from '../session/options.js';
import type { Session } from '../session/session.js';
import type { StateLog } from '../session/state-log.js';
import type { TurnCli, TurnReader } from './cli.js';
import { joinResults } from './join-results.js';

/** The running turn. */
interface UnderWay {
  dialog: Dialog | null;
  cancelled: boolean;
}

/**
 * A conversation with a CLI that answers one prompt and exits. Each turn has its own process, which continues the session.
 * So a crash, a time limit or an interruption ends one turn and not the conversation.
 */
export class TurnByTurnSession implements Session {
  readonly #book: SessionBook;
  readonly #options: SessionOptions;
  readonly #cli: TurnCli;
  readonly #ownId = randomUUID();
  readonly #results: ProcessResult[] = [];
  readonly #deadline: number;
  #commands: readonly OfferedCommand[] = [];
  #session: string | null = null;
  #about: ConversationRecord['init'] = null;
  #underWay: UnderWay | null = null;
  #latest: Promise<unknown> = Promise.resolve();
  #closed = false;
  #over: TurnOutcome | null = null;

  constructor(options: SessionOptions, cli: TurnCli) {
    this.#options = options;
    this.#cli = cli;
    this.#book = new SessionBook(options);
    this.#deadline = performance.now() + options.sessionTimeoutSeconds * 1000;
  }

  /** The CLI's own session id, from the first turn on. */
  get id(): string {
    return this.#session ?? this.#ownId;
  }

  get states(): StateLog {
    return this.#book.states;
  }

  get turns(): Turn[] {
    return this.#book.turns;
  }

  get about(): ConversationRecord['init'] {
    return this.#about;
  }

  get over(): TurnOutcome | null {
    return this.#over;
  }

  get commands(): readonly OfferedCommand[] {
    return this.#commands;
  }

  /** Checks before the first turn whether the CLI can do what is asked. There is no process to start yet. */
  async begin(): Promise<void> {
    this.#cli.args(this.#options, '', null);
    this.#commands = await this.#cli.listCommands(this.#options);
    this.#book.begin();
  }

  /** Does nothing, because MCP servers start with each turn. */
  async awaitServers(): Promise<void> {}

  async send(prompt: string, timeoutSeconds: number): Promise<Turn> {
    this.#book.requirePrompt();
    if (this.#over !== null) throw new KnownError(`The session is over: ${describeOutcome(this.#over)}.`);
    const sent = resolvePrompt(prompt, this.#commands);
    const turn = this.#holdTurn({ asked: prompt, sent }, timeoutSeconds);
    this.#latest = turn;
    return turn;
  }

  /** Ends the process of the turn and everything that it started. */
  async interrupt(): Promise<void> {
    if (this.#underWay === null) return;
    this.#underWay.cancelled = true;
    await this.#underWay.dialog?.end();
  }

  /** Ends the session, including a running turn. */
  async end(): Promise<ProcessResult> {
    this.#closed = true;
    await this.#underWay?.dialog?.end();
    // The caller of `send` gets the error of the turn.
    await Promise.allSettled([this.#latest]);
    this.#book.end('closed');
    return joinResults(this.#results, this.#options.artifacts);
  }

  async #holdTurn(
    prompt: { readonly asked: string; readonly sent: string },
    timeoutSeconds: number,
  ): Promise<Turn> {
    const reader = this.#cli.read(this.#book.open(prompt));
    const underWay: UnderWay = { dialog: null, cancelled: false };
    this.#underWay = underWay;
    const left = Math.max(0, this.#deadline - performance.now());
    const result = await this.#run(prompt.sent, reader, underWay, Math.min(timeoutSeconds * 1000, left));
    this.#underWay = null;
    this.#results.push(result);
    this.#session = reader.session ?? this.#session;
    this.#about = reader.about ?? this.#about;
    const turn = this.#judge(result, reader, underWay, left < timeoutSeconds * 1000 ? null : timeoutSeconds);
    return this.#book.close(turn);
  }

  async #run(
    prompt: string,
    reader: TurnReader,
    underWay: UnderWay,
    timeoutMs: number,
  ): Promise<ProcessResult> {
    const options = this.#options;
    const { executable: command, cwd, env, artifacts, secrets, signal, marker } = options;
    const launch = { command, args: this.#cli.args(options, prompt, this.#session), cwd, env };
    const passage = await options.cell?.enter(launch);
    const folder = join(artifacts, `turn-${this.turns.length + 1}`);
    const dialog = openDialogThrough(passage, {
      ...launch,
      timeoutMs,
      stdoutPath: join(folder, 'stdout.txt'),
      stderrPath: join(folder, 'stderr.txt'),
      secrets,
      marker,
      onOutput: options.onOutput,
      pen: options.pen,
      ...(signal === undefined ? {} : { signal }),
      onLine: (line) => reader.take(redactText(line, secrets)),
    });
    underWay.dialog = dialog;
    // The CLI waits for an open input, and adds what it reads there to the prompt.
    dialog.closeInput();
    if (underWay.cancelled || this.#closed) void dialog.end();
    return dialog.ended;
  }

  /** Returns the turn with its outcome. `limitSeconds` is null if the time limit of the whole session came first. */
  #judge(
    result: ProcessResult,
    reader: TurnReader,
    { cancelled }: UnderWay,
    limitSeconds: number | null,
  ): Turn {
    const { sessionTimeoutSeconds } = this.#options;
    const ended = outcomeOfEnd(result, limitSeconds ?? sessionTimeoutSeconds);
    if (result.interrupted && cancelled) return reader.breakOff({ kind: 'cancelled' });
    // The CLI will not be started again: we were asked to end, there is no such program, or the time is up.
    if (result.interrupted || result.spawnError !== undefined || (result.timedOut && limitSeconds === null)) {
      this.#over = ended;
      this.#book.end(result.timedOut ? 'timed-out' : this.#closed ? 'aborted' : 'crashed');
    }
    return result.interrupted || result.timedOut || result.spawnError !== undefined
      ? reader.breakOff(ended)
      : reader.finish(result);
  }
}
