import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import type { OfferedCommand } from '../session/commands.js';
import type { SessionOptions } from '../session/options.js';
import type { TurnDraft } from './draft.js';

/** A CLI that is started anew for each turn: how it is called, and how what it prints is read. */
export interface TurnCli {
  /** The arguments of one turn, which goes on with a session or begins one. What it cannot do is a `KnownError`. */
  readonly args: (call: SessionOptions, prompt: string, session: string | null) => readonly string[];
  /** The slash commands that a session with these options has. */
  readonly listCommands: (call: SessionOptions) => Promise<readonly OfferedCommand[]>;
  /** Reads one turn. */
  readonly read: (draft: TurnDraft) => TurnReader;
}

/** Reads what a CLI prints in one turn. */
export interface TurnReader {
  take(line: string): void;
  /** The session that the CLI says the turn belongs to, once it says so. */
  readonly session: string | null;
  /** What the CLI said of itself. */
  readonly about: ConversationRecord['init'];
  /** The turn, when the process has ended by itself. */
  finish(result: ProcessResult): Turn;
  /** The turn as far as it came. */
  breakOff(outcome: TurnOutcome): Turn;
}
