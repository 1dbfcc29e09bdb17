import type { StreamEvent } from '../../../backends/claude/stream.js';
import type { ConversationRecord, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { ProcessScope } from '../../../exec/process/containment/process-scope.js';
import type { ProcessResult } from '../../../exec/process/run-process.js';
import type { ProcessMarker } from '../../../exec/process/table.js';
import type { Sandbox } from '../../../isolation/launch.js';
import type { OfferedCommand } from './commands.js';
import type { SessionFollowers, SessionLog } from './log.js';

/** The options of a session with an agent CLI. */
export interface SessionOptions extends SessionFollowers {
  readonly executable: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for the captured output. */
  readonly artifacts: string;
  /** Folders of plugins, loaded for this session only. */
  readonly pluginDirs: readonly string[];
  readonly permissionMode: string;
  readonly allowedTools: readonly string[];
  /** More arguments: an agent, a model, limits. */
  readonly args: readonly string[];
  readonly sessionTimeoutSeconds: number;
  readonly marker: ProcessMarker;
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Gets what the CLI prints, redacted, as it arrives. */
  readonly onOutput?: ((data: Buffer) => void) | undefined;
  /** The sandbox to run in; the host if left out. */
  readonly sandbox?: Sandbox | undefined;
  /** Where its processes live; without one, they are only looked for. */
  readonly scope?: ProcessScope | undefined;
  /** Called for every event of Claude Code's stream. */
  readonly onEvent?: (event: StreamEvent) => void;
}

/** A session with an agent CLI, with one process for all turns or with a process for each turn. */
export interface Session {
  /** The CLI's own session id, once it is known. */
  readonly id: string;
  /** The states and turns so far. */
  readonly log: SessionLog;
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
