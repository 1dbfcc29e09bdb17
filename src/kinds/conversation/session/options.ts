import type { StreamEvent } from '../../../backends/claude/stream.js';
import type { StageChange, Turn } from '../../../domain/evidence/conversation.js';
import type { Pen } from '../../../exec/process/containment/pen.js';
import type { ProcessMarker } from '../../../exec/process/table.js';
import type { Cell } from '../../../isolation/launch.js';
import type { ClaudeCall } from '../claude/call.js';
import type { StateChange } from './state-log.js';

/** The options of a session with an agent CLI. */
export interface SessionOptions extends ClaudeCall {
  readonly executable: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for the captured output. */
  readonly artifacts: string;
  readonly sessionTimeoutSeconds: number;
  readonly marker: ProcessMarker;
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal;
  /** Gets what the CLI prints, redacted, as it arrives. */
  readonly onOutput?: ((data: Buffer) => void) | undefined;
  /** The sandbox to run in; the host if left out. */
  readonly cell?: Cell | undefined;
  /** Where its processes live; without one, they are only looked for. */
  readonly pen?: Pen | undefined;
  /** Called for every event of Claude Code's stream. */
  readonly onEvent?: (event: StreamEvent) => void;
  /** Called for every tool call, as soon as the CLI shows it. */
  readonly onCall?: () => void;
  readonly onStateChange?: (change: StateChange) => void;
  /** Reviews the workspace after a turn and returns the stages it reached. The next turn waits for it. */
  readonly review?: (turn: Turn) => Promise<readonly StageChange[]>;
}
