import type { BackendId, Lane } from '../vocabulary.js';

/** What is drawn anew for each attempt, so that no path and no leftover can satisfy a check. */
export interface ScenarioContext {
  readonly backend: BackendId;
  readonly lane: Lane;
  /** A random lower-case word with digits. The agent script never gets it: it must read it from its prompt. */
  readonly nonce: string;
  /** Random three-digit numbers, for work whose result an echo of the prompt does not contain. */
  readonly numbers: readonly [number, number, number];
}

/** A file of the workspace before the run: its text, or an executable. */
export type ArrangedFile = string | { readonly content: string; readonly mode: number };

/**
 * Something done in the workspace besides the judged run: a command of the ralph under test, a git command, or a whole
 * earlier session with a prompt of its own.
 */
export type Errand =
  | { readonly ralph: readonly string[] }
  | { readonly git: readonly string[] }
  | { readonly session: { readonly prompt: string; readonly args?: readonly string[] } };

/** The workspace and the call that a scenario asks for. */
export interface Arrangement {
  /** Becomes ralph.yml; `cli.backend` is filled in from the backend under test. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly prompt: string;
  readonly files?: Readonly<Record<string, ArrangedFile>>;
  /** Done one after the other before the judged run; the evidence has the answers. */
  readonly before?: readonly Errand[];
  /** Done after the judged run. */
  readonly after?: readonly Errand[];
  /** More arguments for `ralph run`. */
  readonly args?: readonly string[];
  /** With which credentials the backend runs, and whether the harness should judge its readiness with them. */
  readonly credentials?: 'as-is' | 'refused';
  /** Also ask the backend's probe, in an environment where it cannot be ready, what the harness would do. */
  readonly probe?: 'without-credentials' | 'without-executable';
}
