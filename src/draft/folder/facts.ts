import type { Step } from '../../domain/agent-script.js';
import type { Termination } from '../../domain/evidence/evidence.js';
import type { BackendId } from '../../domain/vocabulary.js';
import type { RalphConfig } from '../../kinds/ralph/config.js';

/** What a draft uses from ralph.yml. */
export interface FoundConfig {
  /** Without `cli`, because the harness starts the backend. */
  readonly config: RalphConfig;
  /** The backend of the run; Claude if ralph.yml names none, or an unknown one. */
  readonly backend: BackendId;
  readonly promise: string;
  /** The number of consecutive failed iterations after which Ralph gives up. */
  readonly patience: number;
  /** The prompt in the configuration, or the file that it names. */
  readonly prompt: string | null;
  readonly promptFile: string | null;
  /** The backends that hats name. */
  readonly companions: readonly BackendId[];
  readonly gaps: readonly string[];
}

/** What a folder shows about its last run, in the terms of a scenario. */
export interface FolderFacts extends Pick<FoundConfig, 'config' | 'backend' | 'promise' | 'companions'> {
  readonly name: string;
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

/** How much of a folder goes into a draft: enough to replay the run, and little enough to read. */
export const LIMITS = {
  /** For ralph.yml and for the prompt. */
  sourceBytes: 128 * 1024,
  /** For a payload or an agent's text. */
  textLength: 4_000,
  iterations: 60,
} as const;

/** Shortens a text that is too long for a draft. */
export function shorten(text: string): string {
  const left = text.length - LIMITS.textLength;
  return left <= 0 ? text : `${text.slice(0, LIMITS.textLength)} [… ${left} more characters …]`;
}
