import type { BackendKind, Turn } from './agent.js';

/** What runs in the workspace: an argument vector for ralph, or a line for the shell with ralph on its PATH. */
export type Command = readonly string[] | string;

/** One situation that both ralphs are put into. */
export interface DifferentialCase {
  readonly name: string;
  /** The part of ralph's behaviour that it holds fast, in the words of a reader. */
  readonly covers: string;
  /** `ralph.yml`; null means that there is none. Default: three iterations of a backend called `agent`. */
  readonly config?: string | null;
  /** What the backend does, call by call; the last turn is repeated. */
  readonly agent?: readonly Turn[];
  /** Backends that are installed, by the name of their program, and how each takes its prompt. */
  readonly backends?: Readonly<Record<string, BackendKind>>;
  /** Further files of the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of the user's home. */
  readonly home?: Readonly<Record<string, string>>;
  readonly commands?: readonly Command[];
  readonly env?: Readonly<Record<string, string>>;
  /** Log lines that are compared word for word, whatever their level. */
  readonly log?: RegExp;
  /** The answer is that to root, whom no permission stops: it is not compared with the answer to others. */
  readonly asRoot?: true;
}

export interface LoopSettings {
  /** The inside of `event_loop`. */
  readonly loop?: string;
  /** More of the file, in YAML. */
  readonly more?: string;
  readonly mode?: 'stdin' | 'arg';
}

/** A config whose backend is the scripted agent. */
export function loop({ loop = 'max_iterations: 3', more = '', mode = 'stdin' }: LoopSettings = {}): string {
  return `cli: {backend: custom, command: agent, prompt_mode: ${mode}}\nevent_loop: {${loop}}\n${more}\n`;
}

/** A run with a prompt of its own. */
export function run(...options: readonly string[]): readonly string[] {
  return ['run', '--no-tui', '-p', 'do the thing', ...options];
}

/** Two hats that hand work to each other. */
export const TWO_HATS = `hats:
  builder: {name: Builder, description: builds, triggers: [build.task], publishes: [build.finished], instructions: "Build with BRICKS."}
  reviewer: {name: Re-viewer X, description: reads, triggers: [build.finished, "review.*"], publishes: [review.ok, build.task], instructions: "Read with CARE."}
`;
