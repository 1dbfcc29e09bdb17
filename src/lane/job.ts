import type { Environment } from '../backends/index.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import type { BackendId } from '../domain/vocabulary.js';
import type { Places } from './bench.js';
import type { SuiteSettings } from './settings.js';

/** One attempt: what is run, where its output goes, and what it shares with the others of its run. */
export interface Attempt {
  readonly job: AttemptJob;
  readonly places: Places;
  readonly settings: SuiteSettings;
}

export interface AttemptJob {
  readonly scenario: Scenario;
  readonly backend: BackendId;
  readonly attempt: number;
  /** Files that the checks read whole. */
  readonly asks?: readonly string[];
  /** A run of the scenario that is broken on purpose. */
  readonly variant?: Variant;
}

/** What a sabotaged run changes besides the scenario itself. */
export interface Variant {
  /** A plain name, for its folders. */
  readonly name: string;
  readonly env?: Environment;
  /** A folder whose content lies in the workspace from the start. */
  readonly plant?: string;
  readonly timeoutSeconds?: number;
}

/** An id that names its backend needs no suffix; any other may run on several backends at once. */
export function nameWorkspace({ scenario, backend, variant }: AttemptJob): string {
  const plain = scenario.tiedToBackend ? scenario.id : `${scenario.id}-${backend}`;
  return variant === undefined ? plain : `${plain}-${variant.name}`;
}

/** The name by which the processes of an attempt are found. */
export function nameAttempt({ job, settings }: Attempt): string {
  const { scenario, backend, attempt, variant } = job;
  return `${settings.run.id}/${scenario.id}-${backend}/${variant?.name ?? ''}${attempt}`;
}
