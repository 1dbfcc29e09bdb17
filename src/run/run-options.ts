import type { ContainerScope, Isolation } from '../domain/evidence/isolation.js';
import type { Readiness } from '../domain/evidence/readiness.js';
import type { JournalEvent } from '../domain/journal.js';
import type { Estimate } from '../domain/money/spending.js';
import type { Origin } from '../domain/recording/origin.js';
import type { RepeatPlan } from '../domain/repeats.js';
import type { RunCall } from '../domain/run-call.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import type { ShardChoice } from '../domain/shard.js';
import type { SuiteChoice } from '../domain/suites.js';
import type { BackendId } from '../domain/vocabulary.js';
import type { SuiteSettings } from '../lane/settings.js';
import type { RunDir } from '../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import type { FolderOptions } from './hold-folder.js';
import type { Meter } from './money/meter.js';
import type { Pause } from './retries.js';

/** All options of a run. */
export interface RunOptions extends FolderOptions {
  readonly catalogue: readonly Scenario[];
  readonly backends: readonly BackendId[];
  /** The backends that the user named: the report says which of these could not be tested. */
  readonly named?: readonly BackendId[];
  readonly filters: readonly string[];
  /** Exact names of tests to run in addition to what the filters match. */
  readonly tests?: readonly string[];
  /** Patterns of tests to leave out. */
  readonly excludes?: readonly string[];
  /** Default: `all`. */
  readonly suite?: SuiteChoice;
  readonly lastFailed: boolean;
  /** Shuffles the tests with this seed. Default: tier by tier. */
  readonly shuffleSeed?: number | undefined;
  /** Default: four per backend (live), one per core (scripted), one more than there are cores (sim). */
  readonly jobs: number | undefined;
  readonly retries: number;
  /** Default: each test runs once. */
  readonly repeat?: RepeatPlan | undefined;
  /** The part of the tests to run. Default: all. */
  readonly shard?: ShardChoice | undefined;
  readonly bail: boolean;
  /** Waits before a test runs again after trouble with its service. Default: with the clock. */
  readonly pause?: Pause;
  readonly timeoutSeconds: number | null;
  readonly model: string | null;
  readonly keepWorkspace: boolean;
  /** Runs each test of a plugin once more without its plugins. Default: no. */
  readonly withoutPlugin?: boolean;
  /** What keeps attempts inside. Default: `host`. */
  readonly isolation?: Isolation;
  readonly container?: ContainerScope;
  /** The words that start ralph-e2e again from here. */
  readonly program: readonly string[];
  /** CLI flags that reproduce this run; reports print them. */
  readonly repeatWith: readonly string[];
  readonly harnessVersion: string;
  /** What the user chose, for the journal. Without it, nobody can resume the run. */
  readonly call?: RunCall;
  /** The recorded attempts to play again instead of the scripts, by execution key. */
  readonly replays?: SuiteSettings['replays'];
  /** The run that this one plays or judges again. */
  readonly origin?: Origin;
  /** Start nothing new once this much is spent. Default: no limit. */
  readonly maxUsd?: number | undefined;
  /** Called with the estimate before a run that costs money leaves anything behind. False: do not run. */
  readonly approve?: (estimate: Estimate) => Promise<boolean>;
  /** Called when the folder is held and the run may start, before anything runs. */
  readonly onStart?: (root: WorkspaceRoot, run: RunDir) => Promise<void>;
  readonly onEvent: (event: JournalEvent) => void;
  /** Gets what an earlier part of a resumed run recorded and finished. */
  readonly onRecall?: (event: JournalEvent) => void;
  /** Gets what the target of a running test prints, redacted, as it arrives. */
  readonly onOutput?: SuiteSettings['onOutput'];
  /** Called after the last attempt and before the end of the run, so that what it emits belongs to the run. */
  readonly review?: (review: Review) => Promise<void>;
  /** Names the tests that show the causes of failures best. They run again with Ralph's debug log. */
  readonly nameCauses?: (records: readonly JournalEvent[]) => readonly string[];
}

/** Facts available after the last attempt. */
export interface Review {
  readonly records: readonly JournalEvent[];
  readonly readiness: ReadonlyMap<BackendId, Readiness>;
  readonly settings: SuiteSettings;
  readonly meter: Meter;
  readonly emit: (event: JournalEvent) => void;
}

export interface FinishedRun {
  readonly root: WorkspaceRoot;
  readonly run: RunDir;
  /** Every record of the run, from memory and not read back from the file. */
  readonly records: readonly JournalEvent[];
}
