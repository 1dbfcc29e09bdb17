import { join } from 'node:path';
import { parseStreamLine, type SessionInit, type TurnResult } from '../../../backends/claude/stream.js';
import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import type { OfferedCommand } from '../session/commands.js';
import { explainEnd } from '../session/outcome.js';
import type { SessionOptions } from '../session/session.js';
import type { TurnDraft } from '../turns/draft.js';
import type { TurnCli, TurnReader } from '../turns/turn-by-turn.js';
import { describeInit } from './control.js';
import { ClaudeSession, claudeOptions } from './session.js';
import { ClaudeTurn } from './turn.js';

/** Claude Code with one process per turn: `claude -p --output-format stream-json [--resume ID] -- PROMPT`. */
export const claudeTurns: TurnCli = {
  args: (call, prompt, session) => [
    ...['-p', '--output-format', 'stream-json', '--verbose', '--include-hook-events'],
    ...(session === null ? [] : ['--resume', session]),
    ...claudeOptions(call),
    // A prompt may begin with a dash, and the list of tools before it would take every word that follows.
    ...['--', prompt],
  ],
  listCommands,
  read: (draft) => new ResumedTurn(draft),
};

/** Lists commands over streamed input, the only way before a first turn. The CLI takes an unknown command as plain text. */
async function listCommands(call: SessionOptions): Promise<readonly OfferedCommand[]> {
  const { review, onCall, onEvent, onStateChange, ...bare } = call;
  const session = await ClaudeSession.open({ ...bare, artifacts: join(call.artifacts, 'commands') });
  try {
    await session.begin();
    return session.commands;
  } finally {
    await session.end();
  }
}

/** Reads a turn that has its own process. */
class ResumedTurn implements TurnReader {
  readonly #turn: ClaudeTurn;
  #init: SessionInit | null = null;
  #result: TurnResult | null = null;

  constructor(draft: TurnDraft) {
    this.#turn = new ClaudeTurn(draft);
  }

  get session(): string | null {
    return this.#init?.session_id ?? null;
  }

  get about(): ConversationRecord['init'] {
    return describeInit(this.#init);
  }

  take(line: string): void {
    const event = parseStreamLine(line);
    if (event === null) return;
    if (event.type === 'system' && event.subtype === 'init') this.#init = event;
    if (event.type === 'result') this.#result = event;
    this.#turn.take(event);
  }

  finish(result: ProcessResult): Turn {
    return this.#result === null
      ? this.breakOff({ kind: 'crashed', detail: explainEnd(result, 0) })
      : this.#turn.finish(this.#result);
  }

  breakOff(outcome: TurnOutcome): Turn {
    return this.#turn.breakOff(outcome);
  }
}
