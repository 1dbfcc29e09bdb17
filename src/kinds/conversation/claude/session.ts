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
import type { Launch, SandboxEntry } from '../../../isolation/launch.js';
import { openDialogThrough } from '../../../isolation/run-inside.js';
import { AgentNotFoundError, type OfferedCommand, resolvePrompt } from '../session/commands.js';
import { SessionLog } from '../session/log.js';
import { explainEnd, outcomeOfEnd } from '../session/outcome.js';
import type { Session, SessionOptions } from '../session/session.js';
import type { SessionEnd } from '../session/states.js';
import {
  ControlChannel,
  type Controlled,
  describeInit,
  initializeSchema,
  pollServers,
  type ReportedServer,
} from './control.js';
import { ClaudeTurn } from './turn.js';

const START_SECONDS = 60;
const SERVERS_SECONDS = 30;
const CLOSE_MS = 5_000;

/** The turn that is under way, and who waits for it. */
interface OpenTurn {
  readonly turn: ClaudeTurn;
  readonly resolve: (turn: Turn) => void;
  readonly reject: (error: unknown) => void;
}

/** A conversation with Claude Code in one process, over its streaming input and control protocol. */
export class ClaudeSession implements Session, Controlled {
  readonly id: string;
  readonly log: SessionLog;
  readonly #options: SessionOptions;
  readonly #dialog: Dialog;
  readonly #channel: ControlChannel;
  #commands: readonly OfferedCommand[] = [];
  /** Hooks that ran while no turn was open, such as SessionStart. They belong to the turn that follows. */
  readonly #early: StreamEvent[] = [];
  #open: OpenTurn | null = null;
  #init: SessionInit | null = null;
  #servers: readonly ReportedServer[] = [];
  #gone: string | null = null;
  #over: TurnOutcome | null = null;
  /** How the conversation ends because we end it; null while nobody has asked for that. */
  #closing: SessionEnd | null = null;

  private constructor(options: SessionOptions, id: string, entry: SandboxEntry | undefined) {
    this.#options = options;
    this.id = id;
    this.log = new SessionLog(options);
    const { artifacts, secrets, marker, onOutput, scope, signal } = options;
    this.#dialog = openDialogThrough(entry, {
      ...launchOf(options, id),
      timeoutMs: options.sessionTimeoutSeconds * 1000,
      stdoutPath: join(artifacts, 'stdout.txt'),
      stderrPath: join(artifacts, 'stderr.txt'),
      ...{ secrets, marker, onOutput, scope },
      ...(signal === undefined ? {} : { signal }),
      onLine: (line) => {
        const event = parseStreamLine(redactText(line, secrets));
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

  /** Starts the CLI. It is ready only after `begin`. */
  static async open(options: SessionOptions): Promise<ClaudeSession> {
    const id = randomUUID();
    return new ClaudeSession(options, id, await options.sandbox?.enter(launchOf(options, id)));
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
    this.log.apply('started');
  }

  async awaitServers(): Promise<void> {
    this.#servers = await pollServers(this, SERVERS_SECONDS);
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
    return this.#open?.turn.draft ?? null;
  }

  /** Sends a prompt or a command and waits until the turn ends or its time is up. */
  async send(prompt: string, timeoutSeconds: number): Promise<Turn> {
    this.log.requirePrompt();
    if (this.#gone !== null || this.#over !== null)
      throw new KnownError(`The session is over: ${this.#gone ?? describeOver(this.#over)}.`, {
        hint: 'Start another one.',
      });
    const sent = resolvePrompt(prompt, this.commands);
    const turn = new ClaudeTurn(this.log.openTurn({ asked: prompt, sent }));
    for (const event of this.#early.splice(0)) turn.take(event);
    const finished = new Promise<Turn>((resolve, reject) => {
      this.#open = { turn, resolve, reject };
    });
    this.#dialog.write(JSON.stringify({ type: 'user', message: { role: 'user', content: sent } }));
    const timer = new AbortController();
    void sleep(timeoutSeconds * 1000, null, { signal: timer.signal })
      .then(() => this.#expire(turn, timeoutSeconds))
      // The turn ended in time.
      .catch(() => {});
    // Also if the turn could not be reviewed: the timer would keep us running.
    return finished.finally(() => timer.abort());
  }

  /** Ends the session because the CLI does not react to an interruption. */
  giveUp(): void {
    const turn = this.#open?.turn;
    if (turn !== undefined) this.#expire(turn, Math.round(turn.draft.elapsedSeconds));
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
    if (this.#open === null) {
      if (event.type === 'system' && event.subtype === 'hook_response') this.#early.push(event);
      return;
    }
    const { turn } = this.#open;
    turn.take(event);
    if (event.type === 'result') this.#finish(turn.finish(event));
  }

  #finish(turn: Turn): void {
    const waiting = this.#open;
    this.#open = null;
    this.log.closeTurn(turn).then(waiting?.resolve, waiting?.reject);
  }

  #expire(turn: ClaudeTurn, afterSeconds: number): void {
    if (this.#open?.turn !== turn) return;
    this.#over = { kind: 'timed-out', afterSeconds };
    this.#finish(turn.breakOff(this.#over));
    // A late answer would be taken for the answer to the next prompt.
    void this.#dialog.end();
  }

  /** Records that the CLI has ended, which ends the turn under way and the conversation. */
  #conclude(how: string, outcome: TurnOutcome): void {
    this.#gone = how;
    this.#over ??= outcome;
    if (this.#open !== null) this.#finish(this.#open.turn.breakOff(this.#over));
    this.log.end(this.#closing ?? (this.#over.kind === 'timed-out' ? 'timed-out' : 'crashed'));
  }
}

/** Returns the call of Claude Code for a conversation over streaming input. */
function launchOf(options: SessionOptions, id: string): Launch {
  const { executable: command, cwd, env } = options;
  const args = [
    '-p',
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--include-hook-events', '--replay-user-messages', '--session-id', id],
    ...claudeOptions(options),
  ];
  return { command, args, cwd, env };
}

/** Returns the arguments that both forms of a conversation share. */
export function claudeOptions(call: SessionOptions): string[] {
  return [
    ...['--permission-mode', call.permissionMode],
    ...(call.allowedTools.length === 0 ? [] : ['--allowedTools', call.allowedTools.join(',')]),
    ...call.pluginDirs.flatMap((folder) => ['--plugin-dir', folder]),
    ...call.args,
  ];
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

function describeOver(outcome: TurnOutcome | null): string {
  return outcome?.kind === 'timed-out'
    ? `a turn did not end within ${outcome.afterSeconds} s`
    : 'Claude Code has ended';
}
