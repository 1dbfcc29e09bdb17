import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import type { OfferedCommand } from './commands.js';
import type { StateLog } from './state-log.js';

/** A conversation with an agent CLI, whether one process holds all of it or each turn has a process of its own. */
export interface Session {
  /** The CLI's own name for it, once that is known. */
  readonly id: string;
  readonly states: StateLog;
  readonly turns: Turn[];
  /** The slash commands that it has; empty where the CLI cannot be asked. */
  readonly commands: readonly OfferedCommand[];
  /** What the CLI said of itself; null where it says nothing. */
  readonly about: ConversationRecord['init'];
  /** Why no further turn can be said; null while one can. */
  readonly over: TurnOutcome | null;
  /** Makes it ready for the first prompt. A CLI that cannot be is a `KnownError`. */
  begin(): Promise<void>;
  /** Waits until the MCP servers that it brings along are up, or have failed. */
  awaitServers(): Promise<void>;
  /** Says something and waits for the end of the turn, or of its time. */
  send(prompt: string, timeoutSeconds: number): Promise<Turn>;
  /** Breaks off the turn that is under way; the conversation goes on. */
  interrupt(): Promise<void>;
  /** Ends it, and tells how the CLI ended. */
  end(): Promise<ProcessResult>;
}
