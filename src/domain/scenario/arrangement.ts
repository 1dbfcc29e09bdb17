import type { BackendId, Lane } from '../vocabulary.js';

/** Facts about one attempt. Random values are new each time, so that no leftover file can satisfy a check. */
export interface ScenarioContext {
  /** The backend under test. */
  readonly backend: BackendId;
  /** The lane of the run. */
  readonly lane: Lane;
  /**
   * Another backend, for a scenario in which two take part (`companions: ({ second }) => [second]`): the first other one
   * that is ready, the ones that the user named first.
   */
  readonly second: BackendId;
  /** A random lowercase word with digits. The agent script never gets it and must read it from the prompt. */
  readonly nonce: string;
  /** Three random three-digit numbers. Ask for a result such as their sum, which an echo of the prompt does not contain. */
  readonly numbers: readonly [number, number, number];
}

/**
 * A file in the workspace before the run: its text, or its text with a file mode, for example to make it executable.
 */
export type ArrangedFile = string | { readonly content: string; readonly mode: number };

/**
 * A command that runs in the workspace before or after the judged run: a command for the `ralph` under test, a git
 * command, or a whole session with its own prompt.
 */
export type Errand =
  | {
      readonly ralph: readonly string[];
      /** The folder of the workspace that it runs in; the workspace itself by default. */
      readonly in?: string;
      /** Environment variables for this command alone; null removes one. */
      readonly env?: Readonly<Record<string, string | null>>;
    }
  | { readonly git: readonly string[] }
  | { readonly session: { readonly prompt: string; readonly args?: readonly string[] } };

/** What `arrange` returns: the workspace of a scenario, and how to call Ralph in it. */
export interface Arrangement {
  /** The content of ralph.yml. The harness fills in `cli.backend` with the backend under test. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The prompt for Ralph. */
  readonly prompt: string;
  /** Files in the workspace before the run, by path. */
  readonly files?: Readonly<Record<string, ArrangedFile>>;
  /** Errands that run one by one before the judged run. Their answers are part of the evidence. */
  readonly before?: readonly Errand[];
  /** Errands that run after the judged run. */
  readonly after?: readonly Errand[];
  /** Additional arguments for `ralph run`. */
  readonly args?: readonly string[];
  /** Folders of the workspace whose programs come first on PATH, for Ralph and the errands. */
  readonly path?: readonly string[];
  /**
   * How Ralph is run: without a terminal (the default), with its own interface on a pseudo-terminal (`tui`), or with JSON
   * lines on stdin and stdout (`rpc`). What the agent appends to `typed.txt` is typed into the terminal or sent as a
   * command; after the loop has ended, `q` closes the interface, and the input ends.
   */
  readonly terminal?: 'tui' | 'rpc';
  /** The backend's credentials: its own (`as-is`, the default), or invalid ones (`refused`). */
  readonly credentials?: 'as-is' | 'refused';
  /** Also runs the backend's readiness probe in an environment where the backend cannot be ready. See `harnessWouldSkip`. */
  readonly probe?: 'without-credentials' | 'without-executable';
}
