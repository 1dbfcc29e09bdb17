import type { Invocation } from '../../domain/agent-script.js';

/** What a stand-in has around it: all that a program gets from its process. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Some CLIs refuse to work for root. */
  readonly isRoot: boolean;
  readonly write: Write;
  /** The whole of stdin, for which it waits so long if nothing comes. */
  readonly readInput: (patienceMs: number) => Promise<Input>;
  /** stdin line by line, as it comes. */
  readonly readLines: () => AsyncIterable<string>;
  /** Told of every call as it is recorded. */
  readonly onCall?: (call: Invocation) => void;
}

/** What came on stdin, and why nothing did: nobody wrote, or the code of the error. */
export interface Input {
  readonly text: string;
  readonly trouble?: string;
}

export type Write = (stream: 'stdout' | 'stderr', text: string) => void;
