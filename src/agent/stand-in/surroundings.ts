import type { Invocation } from '../../domain/agent-script.js';

/** Everything a stand-in gets from its process. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Some CLIs refuse to work for root. */
  readonly isRoot: boolean;
  readonly write: Write;
  /** Reads all of stdin; gives up after `patienceMs` if nothing arrives. */
  readonly readInput: (patienceMs: number) => Promise<Input>;
  /** Reads stdin line by line, as it arrives. The signal ends it, even while it waits for a line. */
  readonly readLines: (signal?: AbortSignal) => AsyncIterable<string>;
  /** Called for every call as it is recorded. */
  readonly onCall?: (call: Invocation) => void;
}

/** What arrived on stdin, and why nothing did: nobody wrote, or an error code. */
export interface Input {
  readonly text: string;
  readonly trouble?: string;
}

export type Write = (stream: 'stdout' | 'stderr', text: string) => void;
