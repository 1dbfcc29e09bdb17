import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import type { OfferedCommand } from '../session/commands.js';
import type { SessionOptions } from '../session/options.js';
import type { TurnDraft } from './draft.js';

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
