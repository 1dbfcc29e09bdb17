import type { Face } from '../agent/face/run-face.js';
import type { BackendId } from '../domain/backends.js';
import type { ToolCall, Usage } from '../domain/evidence/evidence.js';
import type { Authentication } from '../domain/evidence/readiness.js';
import type { ToolRecipes } from '../domain/tool-recipe.js';

/** An agent CLI that ralph drives: what it is called, how it is asked about itself, how a run reaches it. */
export interface Backend {
  readonly id: BackendId;
  /** Its name for people. */
  readonly title: string;
  /** The executable that ralph starts. */
  readonly command: string;
  /** The value of `cli.backend` in ralph.yml. */
  readonly ralphBackend: string;
  readonly versionArgs: readonly string[];
  readonly probe: AuthenticationProbe;
  /** Variables that log the CLI in without a login; the first one is what we recommend. */
  readonly credentialVariables: readonly string[];
  /** Variables with which a user sets the CLI up (where its login lies, which service to ask): a live run keeps them. */
  readonly accountVariables: readonly string[];
  /** Files and folders in HOME that hold a login: sandboxes hide them. */
  readonly loginFiles: readonly string[];
  readonly installHint: string;
  readonly loginHint: string;
  /** Places outside the workspace from which a live run takes instructions, settings or tools. */
  readonly inheritedFiles: (env: Environment) => readonly string[];
  /** Gives the CLI a home of its own, in which nobody has logged in. */
  readonly privateHome: (home: string) => EnvironmentChange;
  /** Variables without which it refuses to start the way ralph starts it; the offline lanes set them. */
  readonly sandbox: Environment;
  /** What keeps a live run from working although the CLI is logged in, and what to do about it; null where nothing does. */
  readonly obstacle: (env: Readonly<Record<string, string | undefined>>) => string | null;
  /** On top of that: credentials with which the real CLI starts and is refused by its service at once. */
  readonly refusedCredentials: EnvironmentChange;
  /** The arguments (`cli.args` in ralph.yml) that choose a model; a CLI without such an option refuses. */
  readonly modelArgs: (model: string) => readonly string[];
  /** Arguments that keep the user's own plugins and hooks out of a conversation about someone else's. */
  readonly withoutUserSettings?: readonly string[];
  /** Its tools, for the neutral steps of an agent script. */
  readonly tools: ToolRecipes;
  /** Tools that it offers instead of these to some models. */
  readonly otherTools?: ToolRecipes;
  readonly scripted: ScriptedLane;
  /** Reads what it printed in one iteration; null where that is none of its JSON. Without it the lines are its words. */
  readonly readTranscript?: (lines: readonly string[]) => Transcript | null;
  /** Loads the stand-in for the sim lane: a program of its own, which other commands need not load. */
  readonly standIn: () => Promise<Face>;
}

/** What the JSON of a CLI tells about one iteration. */
export interface Transcript {
  readonly said: string;
  readonly toolCalls: ToolCall[];
  readonly usage: Usage | null;
  readonly errors: string[];
}

/** How the real CLI is made to ask our model server instead of a service, or why it cannot be. */
type ScriptedLane =
  | {
      readonly possible: true;
      /** On top of a private home: variables with which the CLI asks the server at `url` and nobody else. */
      readonly environment: (url: string) => Environment;
      /** Files with which it does, by their paths in the private home. */
      readonly files: (url: string) => Readonly<Record<string, string>>;
    }
  | { readonly possible: false; readonly reason: string };

/** A command of the CLI that tells whether it is logged in, without asking a model anything. */
interface AuthenticationProbe {
  readonly args: readonly string[];
  /** Keeps the probe from updating itself or from loading what it does not need. */
  readonly env: Environment;
  /** The answer, or null when this is not an answer that we know how to read. */
  readonly parse: (output: ProbeOutput) => ProbeAnswer | null;
}

/** What a probe printed and how it ended, without terminal sequences. */
export interface ProbeOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An answer before its source is known. */
export type ProbeAnswer = Pick<Authentication, 'authenticated' | 'detail'>;

export type Environment = Readonly<Record<string, string>>;

/** Variables to set, or with `undefined` to remove. */
export type EnvironmentChange = Readonly<Record<string, string | undefined>>;
