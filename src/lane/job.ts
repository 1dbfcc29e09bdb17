import type { Environment } from '../backends/index.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import type { BackendId } from '../domain/vocabulary.js';
import type { Places } from './lane-setup.js';
import type { SuiteSettings } from './settings.js';

/** One attempt: what runs, where its output goes, and what it shares with the other attempts of its run. */
export interface Attempt {
  readonly job: AttemptJob;
  readonly places: Places;
  readonly settings: SuiteSettings;
}

export interface AttemptJob {
  readonly scenario: Scenario;
  readonly backend: BackendId;
  /** The second backend, for a scenario in which any other takes part. */
  readonly second?: BackendId;
  readonly attempt: number;
  /** Files that the checks read completely. */
  readonly asks?: readonly string[];
  /** Set if a proof changes the scenario on purpose. */
  readonly variant?: Variant;
}

/** What a run of a proof changes in addition to the scenario itself. */
export interface Variant {
  /** A plain name for its folders. */
  readonly name: string;
  readonly env?: Environment;
  /** A folder to copy into the workspace before the start. */
  readonly plant?: string;
  readonly timeoutSeconds?: number;
  /** Draws numbers whose sums have four digits and more, which some write with a comma. */
  readonly largeNumbers?: boolean;
}

/** Names the workspace. The backend is appended unless it is part of the id: other ids may run on several backends. */
export function nameWorkspace({ scenario, backend, variant }: AttemptJob): string {
  const plain = scenario.tiedToBackend ? scenario.id : `${scenario.id}-${backend}`;
  return variant === undefined ? plain : `${plain}-${variant.name}`;
}

/** Returns the name that marks the processes of an attempt. */
export function nameAttempt({ job, settings }: Attempt): string {
  const { scenario, backend, attempt, variant } = job;
  return `${settings.run.id}/${scenario.id}-${backend}/${variant?.name ?? ''}${attempt}`;
}
