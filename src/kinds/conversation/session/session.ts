import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import type { OfferedCommand } from './commands.js';
import type { StateLog } from './state-log.js';

/** A conversation with an agent CLI, with one process for all turns or with a process for each turn. */
export interface Session {
  /** The CLI's own session id, once it is known. */
  readonly id: string;
  readonly states: StateLog;
  readonly turns: Turn[];
  /** The slash commands that the session offers. Empty if the CLI cannot list them. */
  readonly commands: readonly OfferedCommand[];
  /** What the CLI reported about itself, or null. */
  readonly about: ConversationRecord['init'];
  /** Set once the session has ended and no more turns can be sent. */
  readonly over: TurnOutcome | null;
  /** Prepares the session for the first prompt. Throws a `KnownError` if the CLI does not get ready. */
  begin(): Promise<void>;
  /** Waits until its MCP servers are up or have failed. */
  awaitServers(): Promise<void>;
  /** Sends a prompt and waits until the turn ends or its time is up. */
  send(prompt: string, timeoutSeconds: number): Promise<Turn>;
  /** Cancels the current turn. The conversation continues. */
  interrupt(): Promise<void>;
  /** Ends the session and returns how the CLI ended. */
  end(): Promise<ProcessResult>;
}
