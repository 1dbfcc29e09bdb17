import type { Readiness } from '../domain/evidence/readiness.js';
import type { JournalEvent } from '../domain/journal.js';
import type { Estimate } from '../domain/money/spending.js';
import type { Origin } from '../domain/recording/origin.js';
import type { RunCall } from '../domain/run-call.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import type { BackendId } from '../domain/vocabulary.js';
import type { SuiteSettings } from '../lane/settings.js';
import type { RunDir } from '../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import type { Meter } from './money/meter.js';
import type { Pause } from './retries.js';

/** What the user chose for a run, and what only this process knows. */
export interface RunOptions extends RunCall {
  readonly catalogue: readonly Scenario[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Waits before a test runs again after trouble with its service. Default: with the clock. */
  readonly pause?: Pause;
  /** The words that start ralph-e2e again from here. */
  readonly program: readonly string[];
  /** CLI flags that reproduce this run; reports print them. */
  readonly repeatWith: readonly string[];
  readonly harnessVersion: string;
  /** The call for the journal. Without it, nobody can resume the run. */
  readonly call?: RunCall;
  /** The recorded attempts to play again instead of the scripts, by execution key. */
  readonly replays?: SuiteSettings['replays'];
  /** The run that this one plays or judges again. */
  readonly origin?: Origin;
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
