import type { Environment } from '../backends/index.js';
import type { AgentScript } from '../domain/agent-script.js';
import type { Target } from '../domain/attempt.js';
import type { RunCall } from '../domain/run-call.js';
import type { ScenarioContext } from '../domain/scenario/arrangement.js';
import type { BackendId } from '../domain/vocabulary.js';
import type { Containment } from '../exec/process/containment/means.js';
import type { Enclosure } from '../isolation/launch.js';
import type { RunDir } from '../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';

/** A recorded attempt, to be played again, or why it cannot be. */
export type Replay =
  | {
      readonly kind: 'play';
      /** As it was when the attempt was recorded, with its lane: the scenario arranges and expects the same. */
      readonly context: ScenarioContext;
      readonly script: AgentScript;
    }
  | { readonly kind: 'cannot'; readonly why: string };

/** What all attempts of a run share. */
export interface SuiteSettings
  extends Pick<RunCall, 'lane' | 'model' | 'timeoutSeconds' | 'keepWorkspace'>,
    Partial<Pick<RunCall, 'passEnv'>> {
  readonly target: Target;
  /** The executable to start: the target itself, or a copy of it if its folder would shadow our stand-ins. */
  readonly binary: string;
  /** Describes how the target differs from what it was at the start of the run, or returns null. */
  readonly findChangedTarget?: (() => Promise<string | null>) | undefined;
  readonly root: WorkspaceRoot;
  readonly run: RunDir;
  /** The user's own environment, which contains the credentials to scrub. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** The environment of the lane. */
  readonly env: Environment;
  /** What to play instead of the scripts of the scenarios, by execution key. */
  readonly replays?: ReadonlyMap<string, Replay>;
  readonly signal: AbortSignal;
  /** Gets what the target of a running test prints, redacted, as it arrives. */
  readonly onOutput?: (
    test: { readonly scenarioId: string; readonly backend: BackendId },
    data: Buffer,
  ) => void;
  /** What keeps the processes of an attempt together. A sandbox does that by itself. */
  readonly containment: Containment;
  /** Isolates the attempts; without it they run on the host. */
  readonly enclosure?: Enclosure | undefined;
}
