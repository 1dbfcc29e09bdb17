import {
  type OpencodeError,
  type OpencodeEvent,
  parseOpencodeLine,
} from '../../../backends/opencode/stream.js';
import { KnownError } from '../../../domain/common/known-error.js';
import type { Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import { explainEnd } from '../session/outcome.js';
import type { SessionOptions } from '../session/session.js';
import type { TurnBill, TurnDraft } from '../turns/draft.js';
import type { TurnCli, TurnReader } from '../turns/turn-by-turn.js';

/** OpenCode with one process per turn: `opencode run --format json [--session ID] -- PROMPT`. */
export const opencodeTurns: TurnCli = {
  args: (call, prompt, session) => [
    ...['run', '--format', 'json'],
    ...(session === null ? [] : ['--session', session]),
    ...permissionArgs(call),
    ...call.args,
    // A prompt may begin with a dash.
    ...['--', prompt],
  ],
  // A slash has no meaning on its command line: OpenCode would send the command to the model as plain text.
  listCommands: async () => [],
  read: (draft) => new OpencodeTurn(draft),
};

/** By default OpenCode edits and runs anything inside its folder, and rejects access outside it. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  acceptEdits: [],
  bypassPermissions: ['--auto'],
};

function permissionArgs({ permissionMode, pluginDirs }: SessionOptions): readonly string[] {
  if (pluginDirs.length > 0) {
    throw new KnownError('OpenCode cannot load Claude Code plugins.', {
      hint: 'Run a conversation with plugins on claude.',
    });
  }
  const args = PERMISSIONS[permissionMode];
  if (args === undefined) {
    throw new KnownError(`OpenCode has no permission mode "${permissionMode}".`, {
      hint: `Available modes: ${Object.keys(PERMISSIONS).join(', ')}.`,
    });
  }
  return args;
}

/** Matches the result of a call that needed a permission when nobody could answer. */
const REJECTED = /rejected permission/;

/** Why the model stopped before the end of its answer. */
const CUT_OFF: Readonly<Record<string, string>> = {
  length: 'the maximum length of an answer',
  'content-filter': 'the content filter of the model',
};

/** Reads a turn from the events of `opencode run --format json`. */
class OpencodeTurn implements TurnReader {
  /** OpenCode reports nothing about itself. */
  readonly about = null;
  readonly #draft: TurnDraft;
  readonly #denied: string[] = [];
  #bill: TurnBill;
  #session: string | null = null;
  #error: OpencodeError | null = null;
  #stopped: string | null = null;

  constructor(draft: TurnDraft) {
    this.#draft = draft;
    this.#bill = { denied: this.#denied, inputTokens: 0, outputTokens: 0, totalCostUsd: draft.spentBefore };
  }

  get session(): string | null {
    return this.#session;
  }

  take(line: string): void {
    const event = parseOpencodeLine(line);
    if (event === null) return;
    this.#session = event.sessionID;
    switch (event.type) {
      case 'step_start':
        this.#stopped = null;
        return this.#draft.respond();
      case 'text':
        return this.#draft.say(event.part.text);
      case 'tool_use':
        return this.#takeCall(event.part);
      case 'step_finish': {
        const { reason, tokens, cost } = event.part;
        this.#stopped = reason;
        this.#bill = {
          ...this.#bill,
          inputTokens: this.#bill.inputTokens + tokens.input,
          outputTokens: this.#bill.outputTokens + tokens.output,
          totalCostUsd: this.#bill.totalCostUsd + cost,
        };
        return;
      }
      case 'error':
        this.#error = event.error;
        return;
      default:
        event satisfies never;
    }
  }

  finish(result: ProcessResult): Turn {
    return this.breakOff(this.#judge(result));
  }

  breakOff(outcome: TurnOutcome): Turn {
    return this.#draft.close(outcome, this.#bill);
  }

  /** Records a call, which OpenCode shows when it is over. A failed command is a completed tool with an exit code. */
  #takeCall({ callID: id, tool: name, state }: Extract<OpencodeEvent, { type: 'tool_use' }>['part']): void {
    const failed = state.status === 'error';
    this.#draft.call({ id, name, input: state.input, parent: null });
    this.#draft.answer(id, failed ? state.error : state.output, failed || (state.metadata.exit ?? 0) !== 0);
    if (failed && REJECTED.test(state.error)) this.#denied.push(id);
  }

  /** Finds the outcome. A rejected permission ends the turn with exit code 0 and without an answer. */
  #judge(result: ProcessResult): TurnOutcome {
    if (this.#error !== null) {
      const { name, data } = this.#error;
      return { kind: 'api-error', status: data.statusCode ?? null, message: data.message ?? name };
    }
    if (result.exitCode !== 0) return { kind: 'crashed', detail: explainEnd(result, 0) };
    const cut = CUT_OFF[this.#stopped ?? ''];
    if (cut !== undefined) return { kind: 'limit', which: cut };
    if (this.#stopped !== null && this.#stopped !== 'tool-calls') return { kind: 'completed' };
    if (this.#denied.length > 0)
      return { kind: 'limit', which: 'a permission request that nobody could answer' };
    return { kind: 'crashed', detail: `${explainEnd(result, 0)}, in the middle of an answer` };
  }
}
