import type { Step } from '../../domain/agent-script.js';
import type { Termination } from '../../domain/evidence/evidence.js';
import type { BackendId } from '../../domain/vocabulary.js';
import type { RalphConfig } from '../../kinds/ralph/config.js';

/** What a folder shows about its last run, in the terms of a scenario. */
export interface FolderFacts {
  readonly name: string;
  /** ralph.yml without `cli`, because the harness starts the backend. */
  readonly config: RalphConfig;
  /** The backend that the run used. */
  readonly backend: BackendId;
  readonly promise: string;
  /** The backends that hats name. */
  readonly companions: readonly BackendId[];
  readonly prompt: string;
  readonly iterations: readonly PlayedIteration[];
  readonly termination: Termination | null;
  /** The events that agents emitted, in order. */
  readonly events: readonly SeenEvent[];
  /** What the author must know: what the folder does not show, and what the draft drops. */
  readonly gaps: readonly string[];
}

/** An agent's event; `whole` is false if Ralph or the draft kept only the beginning of its payload. */
export interface SeenEvent {
  readonly topic: string;
  readonly payload: string | null;
  readonly whole: boolean;
}

/** One iteration, as far as the folder shows it. */
export interface PlayedIteration {
  readonly number: number;
  /** Null if the folder does not show which hat was active. */
  readonly hat: ActiveHat | null;
  readonly steps: readonly Step[];
  /** Whether the backend failed. */
  readonly failed: boolean;
}

/** `name` is the name in prompts; null if Ralph coordinates and no hat is active. */
export interface ActiveHat {
  readonly id: string;
  readonly name: string | null;
}
