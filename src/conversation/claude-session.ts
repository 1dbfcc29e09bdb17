import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Turn, TurnOutcome } from '../domain/conversation.js';
import { KnownError } from '../domain/known-error.js';
import type { Dialog } from '../exec/dialog.js';
import { redactText } from '../exec/redact.js';
import { openDialogThrough } from '../isolation/dialog-inside.js';
import type { Launch, Passage } from '../isolation/launch.js';
import { claudeArgs, initializeSchema } from './claude-call.js';
import {
  parseStreamLine,
  readBlocks,
  readCommand,
  type SessionInit,
  type StreamEvent,
} from './claude-stream.js';
import { type OfferedCommand, resolvePrompt } from './commands.js';
import { ControlChannel } from './control-channel.js';
import { endOf } from './describe-outcome.js';
import type { SessionOptions } from './session-options.js';
import { StateLog } from './state-log.js';
import { TurnBuilder } from './turn-builder.js';

const START_SECONDS = 60;
const CLOSE_MS = 5_000;

/** A conversation with Claude Code: one process, turn after turn, over its streaming input and control protocol. */
export class ClaudeSession {
  readonly id: string;
  readonly states: StateLog;
  readonly turns: Turn[] = [];
  readonly #options: SessionOptions;
  readonly #dialog: Dialog;
  readonly #channel: ControlChannel;
  #commands: readonly OfferedCommand[] = [];
  #init: SessionInit | null = null;
  #turn: TurnBuilder | null = null;
  #finishTurn: { resolve: (turn: Turn) => void; reject: (error: unknown) => void } | null = null;
  #gone: string | null = null;
  #over: TurnOutcome | null = null;

  private constructor(options: SessionOptions, id: string, passage: Passage | undefined) {
    this.#options = options;
    this.id = id;
    this.states = new StateLog(options.onStateChange);
    this.#dialog = openDialogThrough(passage, {
      ...launchOf(options, id),
      timeoutMs: options.sessionTimeoutSeconds * 1000,
      stdoutPath: join(options.artifacts, 'stdout.txt'),
      stderrPath: join(options.artifacts, 'stderr.txt'),
      secrets: options.secrets,
      marker: options.marker,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      onLine: (line) => {
        const event = parseStreamLine(redactText(line, options.secrets));
        if (event !== null) this.#take(event);
      },
    });
    this.#channel = new ControlChannel(this.#dialog);
    void this.#dialog.ended.then(({ exitCode, signal, timedOut, stderr, spawnError }) => {
      const how = timedOut
        ? `ended by the time limit of ${options.sessionTimeoutSeconds} s`
        : `exit ${exitCode ?? signal ?? 'unknown'}`;
      const words = spawnError?.message ?? stderr.head.trim().slice(-300);
      this.#gone = words === '' ? how : `${how}: ${words}`;
      this.#over = timedOut
        ? { kind: 'timed-out', afterSeconds: options.sessionTimeoutSeconds }
        : { kind: 'crashed', detail: this.#gone };
      this.#breakOff(this.#over);
    });
  }

  /** Starts the CLI. It is not ready before `begin`. */
  static async open(options: SessionOptions): Promise<ClaudeSession> {
    const id = randomUUID();
    return new ClaudeSession(options, id, await options.cell?.enter(launchOf(options, id)));
  }

  /** Starts the CLI and waits until it is ready; a CLI that cannot be is ended. */
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

  /** Learns which commands the CLI offers. No model is asked for that. */
  async begin(): Promise<void> {
    const answer = await this.control({ subtype: 'initialize' }, START_SECONDS);
    this.#commands = initializeSchema.parse(answer).commands;
    this.states.apply({ type: 'started', at: now() });
  }

  /** The slash commands that this session has. */
  get commands(): readonly OfferedCommand[] {
    return this.#commands;
  }

  /** What the CLI said of itself before the latest turn: plugins and their errors, tools, agents, servers. */
  get init(): SessionInit | null {
    return this.#init;
  }

  /** How the CLI ended, which no turn survives; null while it lives. */
  get over(): TurnOutcome | null {
    return this.#over;
  }

  /** The turn that is under way, as far as it has come. */
  get partial(): { readonly text: string; readonly calls: Turn['calls'] } | null {
    return this.#turn === null ? null : { text: this.#turn.text, calls: this.#turn.calls };
  }

  /** Sends a prompt or a command and waits for the end of the turn, or of its time. */
  async send(prompt: string, timeoutSeconds: number): Promise<Turn> {
    this.states.require('send_prompt', now());
    if (this.#gone !== null) throw new KnownError(`The session is over: ${this.#gone}.`);
    const sent = resolvePrompt(prompt, this.#commands);
    const builder = new TurnBuilder(this.turns.length + 1, { asked: prompt, sent });
    this.#turn = builder;
    this.states.apply({ type: 'prompt-sent', prompt: { id: randomUUID(), text: sent, at: now() } });
    const finished = new Promise<Turn>((resolve, reject) => {
      this.#finishTurn = { resolve, reject };
    });
    this.#dialog.write(JSON.stringify({ type: 'user', message: { role: 'user', content: sent } }));
    const timer = new AbortController();
    void sleep(timeoutSeconds * 1000, null, { signal: timer.signal })
      .then(() => this.#expire(builder, timeoutSeconds))
      // The turn ended in time.
      .catch(() => {});
    const turn = await finished;
    timer.abort();
    return turn;
  }

  /** Breaks off the turn that is under way; the session goes on. */
  async interrupt(): Promise<void> {
    await this.control({ subtype: 'interrupt' }, START_SECONDS);
  }

  /** One request of the control protocol. */
  async control(request: Readonly<Record<string, unknown>>, timeoutSeconds: number): Promise<unknown> {
    return this.#channel.request(request, timeoutSeconds, () => this.#gone);
  }

  /** Closes the input, which ends the CLI in order; what does not go is ended. */
  async end() {
    this.#dialog.closeInput();
    const patience = new AbortController();
    const quiet = await Promise.race([
      this.#dialog.ended,
      sleep(CLOSE_MS, null, { signal: patience.signal }).catch(() => null),
    ]);
    patience.abort();
    const result = quiet ?? (await this.#dialog.end());
    if (this.states.state.name !== 'IDLE') {
      this.states.apply({ type: 'ended', reason: quiet === null ? 'aborted' : 'closed', at: now() });
    }
    return result;
  }

  #take(event: StreamEvent): void {
    this.#options.onEvent?.(event);
    if (event.type === 'control_response') {
      this.#channel.take(event);
      return;
    }
    if (event.type === 'system' && event.subtype === 'init') this.#init = event;
    if (this.#turn === null) return;
    this.#turn.take(event);
    this.#follow(event);
    if (event.type === 'result') this.#finish(this.#turn.finish(event));
  }

  /** The states follow what the CLI prints. */
  #follow(event: StreamEvent): void {
    const at = now();
    const command = event.type === 'user' && event.isReplay ? readCommand(event.message.content) : null;
    if (event.type !== 'assistant' && command === null) return;
    if (this.states.state.name === 'USER_PROMPT') {
      this.states.apply({ type: 'responding', responseId: randomUUID(), at });
    }
    if (command !== null) {
      this.states.apply({
        type: 'command-recognised',
        command: command.name,
        args: command.args,
        executionId: randomUUID(),
        at,
      });
    }
    if (event.type !== 'assistant') return;
    for (const block of readBlocks(event.message.content)) {
      this.states.apply(
        block.type === 'text'
          ? { type: 'text', text: block.text, at }
          : { type: 'tool-called', id: block.id, at },
      );
    }
  }

  #expire(builder: TurnBuilder, afterSeconds: number): void {
    if (this.#turn !== builder) return;
    this.#finish(builder.breakOff({ kind: 'timed-out', afterSeconds }));
    // Its answer would be taken for that of the next prompt.
    void this.#dialog.end();
  }

  #breakOff(outcome: TurnOutcome): void {
    if (this.#turn !== null) this.#finish(this.#turn.breakOff(outcome));
    if (this.states.state.name !== 'IDLE' && outcome.kind !== 'completed') {
      const reason = outcome.kind === 'timed-out' ? 'timed-out' : 'crashed';
      this.states.apply({ type: 'ended', reason, at: now() });
    }
  }

  #finish(turn: Turn): void {
    this.#turn = null;
    this.turns.push(turn);
    const finish = this.#finishTurn;
    this.#finishTurn = null;
    const reviewed = this.#options.review?.(turn) ?? Promise.resolve([]);
    reviewed.then(
      (stages) => {
        // The CLI may have gone in the meantime, which ended the conversation and its turn.
        if (this.states.state.name !== 'IDLE') {
          for (const { from, to, trigger } of stages) {
            this.states.apply({ type: 'stage-changed', from, to, trigger, at: now() });
          }
          this.states.apply({ type: 'turn-ended', reason: endOf(turn.outcome), at: now() });
        }
        finish?.resolve(turn);
      },
      (error) => finish?.reject(error),
    );
  }
}

function launchOf(options: SessionOptions, id: string): Launch {
  const { executable: command, cwd, env } = options;
  return { command, args: claudeArgs(options, id), cwd, env };
}

function now(): string {
  return new Date().toISOString();
}
