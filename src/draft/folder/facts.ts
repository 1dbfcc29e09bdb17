import type { Step } from '../../domain/agent-script.js';
import type { Evidence, Memory, Termination } from '../../domain/evidence/evidence.js';
import type { ArrangedFile } from '../../domain/scenario/arrangement.js';
import type { BackendId } from '../../domain/vocabulary.js';
import type { RalphConfig } from '../../kinds/ralph/config.js';

/** What a folder tells of the last run in it, in the words of a scenario. */
export interface FolderFacts {
  /** The name of the folder. */
  readonly name: string;
  /** ralph.yml without `cli`: the harness starts the backend. */
  readonly config: RalphConfig;
  /** The backend that the run used. */
  readonly backend: BackendId;
  readonly promise: string;
  /** Backends that hats ask for by name. */
  readonly companions: readonly BackendId[];
  readonly prompt: string;
  /** What was there before the run and Ralph reads. */
  readonly files: Readonly<Record<string, ArrangedFile>>;
  readonly iterations: readonly PlayedIteration[];
  readonly termination: Termination | null;
  /** What agents emitted, in order. */
  readonly events: readonly SeenEvent[];
  /** What the run wrote, with a line that tells a file from another. */
  readonly written: readonly { readonly path: string; readonly line: string }[];
  /** The last line of the notes; null where there are none. */
  readonly lastNote: string | null;
  /** Memories and tasks of this run. */
  readonly memories: readonly Memory[];
  readonly tasks: Evidence['tasks'];
  /** What the author must know: what the folder does not tell, and what was left out. */
  readonly gaps: readonly string[];
}

/** An event of an agent; `whole` is false where Ralph or we kept only the beginning of its payload. */
export interface SeenEvent {
  readonly topic: string;
  readonly payload: string | null;
  readonly whole: boolean;
}

/** One iteration as far as the folder tells it. */
export interface PlayedIteration {
  readonly number: number;
  /** Null where the folder does not tell which hat was active. */
  readonly hat: ActiveHat | null;
  readonly steps: readonly Step[];
  /** The backend failed in it. */
  readonly failed: boolean;
  /** What the agent did besides and cannot be played. */
  readonly remarks: readonly string[];
}

/** `name` is what prompts call it; null where Ralph coordinates and no hat is active. */
export interface ActiveHat {
  readonly id: string;
  readonly name: string | null;
}
