import type { StreamEvent } from '../../../backends/claude/stream.js';
import type { StageChange, Turn } from '../../../domain/evidence/conversation.js';
import type { ProcessMarker } from '../../../exec/process/table.js';
import type { Cell } from '../../../isolation/launch.js';
import type { ClaudeCall } from '../claude/call.js';
import type { StateChange } from './state-log.js';

/** What a conversation is held with, and where. */
export interface SessionOptions extends ClaudeCall {
  readonly executable: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder for the captured output. */
  readonly artifacts: string;
  readonly sessionTimeoutSeconds: number;
  readonly marker: ProcessMarker;
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal;
  /** Where it runs isolated; without it on the host. */
  readonly cell?: Cell | undefined;
  /** Told of every event of Claude Code's stream. */
  readonly onEvent?: (event: StreamEvent) => void;
  /** Told of every call of a tool, as soon as the CLI shows it. */
  readonly onCall?: () => void;
  readonly onStateChange?: (change: StateChange) => void;
  /** Looks at the world when a turn is over and tells which stages it reached; the next turn waits for it. */
  readonly review?: (turn: Turn) => Promise<readonly StageChange[]>;
}
