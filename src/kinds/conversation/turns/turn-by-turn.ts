import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import { joinCaptures } from '../../../exec/process/capture.js';
import type { Dialog } from '../../../exec/process/dialog.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import { redactText } from '../../../exec/redact.js';
import { openDialogThrough } from '../../../isolation/run-inside.js';
import { type OfferedCommand, resolvePrompt } from '../session/commands.js';
import { SessionLog } from '../session/log.js';
import { describeOutcome, outcomeOfEnd } from '../session/outcome.js';
import type { Session, SessionOptions } from '../session/session.js';
import type { TurnDraft } from './draft.js';

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
  readonly log: SessionLog;
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
    this.log = new SessionLog(options);
    this.#deadline = performance.now() + options.sessionTimeoutSeconds * 1000;
  }

  /** The CLI's own session id, from the first turn on. */
  get id(): string {
    return this.#session ?? this.#ownId;
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
    this.log.apply('started');
  }

  /** Does nothing, because MCP servers start with each turn. */
  async awaitServers(): Promise<void> {}

  async send(prompt: string, timeoutSeconds: number): Promise<Turn> {
    this.log.requirePrompt();
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
    this.log.end('closed');
    return joinResults(this.#results, this.#options.artifacts);
  }

  async #holdTurn(
    prompt: { readonly asked: string; readonly sent: string },
    timeoutSeconds: number,
  ): Promise<Turn> {
    const reader = this.#cli.read(this.log.openTurn(prompt));
    const underWay: UnderWay = { dialog: null, cancelled: false };
    this.#underWay = underWay;
    const left = Math.max(0, this.#deadline - performance.now());
    const result = await this.#run(prompt.sent, reader, underWay, Math.min(timeoutSeconds * 1000, left));
    this.#underWay = null;
    this.#results.push(result);
    this.#session = reader.session ?? this.#session;
    this.#about = reader.about ?? this.#about;
    const turn = this.#judge(result, reader, underWay, left < timeoutSeconds * 1000 ? null : timeoutSeconds);
    return this.log.closeTurn(turn);
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
    const entry = await options.sandbox?.enter(launch);
    const folder = join(artifacts, `turn-${this.log.turns.length + 1}`);
    const dialog = openDialogThrough(entry, {
      ...launch,
      timeoutMs,
      stdoutPath: join(folder, 'stdout.txt'),
      stderrPath: join(folder, 'stderr.txt'),
      secrets,
      marker,
      onOutput: options.onOutput,
      scope: options.scope,
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
      this.log.end(result.timedOut ? 'timed-out' : this.#closed ? 'aborted' : 'crashed');
    }
    return result.interrupted || result.timedOut || result.spawnError !== undefined
      ? reader.breakOff(ended)
      : reader.finish(result);
  }
}

/**
 * Joins the results of all processes of a conversation. The end is that of the last process that was not interrupted; the
 * output and the processes left behind are those of all.
 */
async function joinResults(results: readonly ProcessResult[], folder: string): Promise<ProcessResult> {
  const last = results.findLast(({ interrupted }) => !interrupted);
  return {
    pid: last?.pid ?? null,
    // If no process ran, nothing went wrong.
    exitCode: last === undefined ? 0 : last.exitCode,
    signal: last?.signal ?? null,
    timedOut: last?.timedOut ?? false,
    interrupted: false,
    ...(last?.spawnError === undefined ? {} : { spawnError: last.spawnError }),
    durationMs: results.reduce((sum, { durationMs }) => sum + durationMs, 0),
    stdout: await joinCaptures(
      results.map(({ stdout }) => stdout),
      join(folder, 'stdout.txt'),
    ),
    stderr: await joinCaptures(
      results.map(({ stderr }) => stderr),
      join(folder, 'stderr.txt'),
    ),
    leftBehind: results.flatMap(({ leftBehind }) => leftBehind),
    survivors: results.flatMap(({ survivors }) => survivors),
  };
}

/** A CLI that is started once per turn: how to call it, and how to read its output. */
export interface TurnCli {
  /** Returns the arguments of one turn, which continues or starts a session. Throws a `KnownError` if the CLI cannot do it. */
  readonly args: (call: SessionOptions, prompt: string, session: string | null) => readonly string[];
  /** Returns the slash commands that a session with these options offers. */
  readonly listCommands: (call: SessionOptions) => Promise<readonly OfferedCommand[]>;
  /** Returns a reader for one turn. */
  readonly read: (draft: TurnDraft) => TurnReader;
}

/** Reads the output of a CLI in one turn. */
export interface TurnReader {
  take(line: string): void;
  /** The session that the turn belongs to, once the CLI has reported it. */
  readonly session: string | null;
  /** What the CLI reported about itself. */
  readonly about: ConversationRecord['init'];
  /** Returns the turn after the process exited on its own. */
  finish(result: ProcessResult): Turn;
  /** Returns the unfinished turn with this outcome. */
  breakOff(outcome: TurnOutcome): Turn;
}
