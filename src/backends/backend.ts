import type { StandIn } from '../agent/stand-in/run-stand-in.js';
import type { BackendId } from '../domain/backends.js';
import type { CliReport, ToolCall, Usage } from '../domain/evidence/evidence.js';
import type { Authentication } from '../domain/evidence/readiness.js';
import type { PlacelessError } from '../domain/evidence/service-error.js';
import type { ToolRecipes } from '../domain/tool-recipe.js';

/** An agent CLI that Ralph drives: its names, how to probe it, and how each lane runs it. */
export interface Backend {
  readonly id: BackendId;
  /** The display name. */
  readonly title: string;
  /** The executable that Ralph starts. */
  readonly command: string;
  /** The value of `cli.backend` in ralph.yml. */
  readonly ralphBackend: string;
  readonly versionArgs: readonly string[];
  readonly probe: AuthenticationProbe;
  /** Variables that authenticate the CLI without a login; we recommend the first. */
  readonly credentialVariables: readonly string[];
  /** Variables that configure the CLI (where its login is, which service to use). A live run keeps them. */
  readonly accountVariables: readonly string[];
  /** Files and folders in HOME that contain a login; sandboxes hide them. */
  readonly loginFiles: readonly string[];
  readonly installHint: string;
  readonly loginHint: string;
  /** Files outside the workspace that give a live run instructions, settings or tools. */
  readonly inheritedFiles: (env: Environment) => readonly string[];
  /** Gives the CLI a private home without a login. */
  readonly privateHome: (home: string) => EnvironmentChange;
  /** Variables that the CLI needs to start the way Ralph starts it; the offline lanes set them. */
  readonly sandbox: Environment;
  /** What prevents a live run although the CLI is logged in, and what to do about it; null if nothing does. */
  readonly obstacle: (env: Readonly<Record<string, string | undefined>>) => string | null;
  /** Added to `privateHome`: credentials with which the real CLI starts, and which its service rejects at once. */
  readonly refusedCredentials: EnvironmentChange;
  /** The arguments (`cli.args` in ralph.yml) that choose a model; throws if the CLI has no such option. */
  readonly modelArgs: (model: string) => readonly string[];
  /** Arguments that keep the user's own plugins and hooks out of a plugin test. */
  readonly withoutUserSettings?: readonly string[];
  /** How its tools perform the neutral steps of an agent script. */
  readonly tools: ToolRecipes;
  /** The tools it offers to some models instead. */
  readonly otherTools?: ToolRecipes;
  readonly scripted: ScriptedLane;
  /** Reads the output of one iteration; null if it is not the CLI's JSON. Without this, the output is plain text. */
  readonly readTranscript?: (lines: readonly string[]) => Transcript | null;
  /** Why a recording of this CLI cannot be replayed; null if it can. */
  readonly whyNotReplayed: string | null;
  /** Loads the stand-in for the sim lane on demand: it is a separate program. */
  readonly standIn: () => Promise<StandIn>;
}

/** What a CLI's JSON output says about one iteration. */
export interface Transcript {
  readonly said: string;
  /** The number of text blocks in it, if the CLI separates them. */
  readonly texts?: number;
  /** The lengths of these blocks. `said` has them in order, with a line break between two. */
  readonly textLengths?: readonly number[];
  readonly toolCalls: ToolCall[];
  /** In which order text blocks and tool calls came, if the CLI shows it. */
  readonly order?: readonly ('text' | 'tool')[];
  readonly usage: Usage | null;
  readonly errors: string[];
  /** What the CLI reported about itself, if it does. */
  readonly cli?: CliReport;
  /** Errors of the service behind the CLI. Missing if its output does not show them. */
  readonly serviceErrors?: readonly PlacelessError[];
}

/** How to point the real CLI at our model server, or why that is impossible. */
type ScriptedLane =
  | {
      readonly possible: true;
      /** Added to `privateHome`: variables that make the CLI ask only the server at `url`. */
      readonly environment: (url: string) => Environment;
      /** Files that do the same, by their paths in the private home. */
      readonly files: (url: string) => Readonly<Record<string, string>>;
    }
  | { readonly possible: false; readonly reason: string };

/** A command that checks whether the CLI is logged in, without calling a model. */
interface AuthenticationProbe {
  readonly args: readonly string[];
  /** Variables that keep the CLI from updating itself or loading what the probe does not need. */
  readonly env: Environment;
  /** Reads the answer; null if the output is not recognized. */
  readonly parse: (output: ProbeOutput) => ProbeAnswer | null;
  /** Asked if the CLI is logged out: a login that the CLI knows and Ralph does not use, and what to do about it. */
  readonly elsewhere?: { readonly args: readonly string[]; readonly fix: string };
}

/** A probe's output without terminal sequences, and its exit code. */
export interface ProbeOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A probe's answer without its source. */
export type ProbeAnswer = Pick<Authentication, 'authenticated' | 'detail'>;

export type Environment = Readonly<Record<string, string>>;

/** Variables to set, or with `undefined` to remove. */
export type EnvironmentChange = Readonly<Record<string, string | undefined>>;
