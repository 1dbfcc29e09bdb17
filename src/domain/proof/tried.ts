import type { Fault } from '../fault.js';
import type { BackendId } from '../vocabulary.js';
import type { ProofOracle, ProofSaboteur } from './proof.js';

/** What a proof tried, before anybody judges it: src/domain/proof/judge.ts. */

/** A check as declared, before anything ran. */
export interface DeclaredCheck {
  /** The name in the scenario. */
  readonly key: string;
  readonly kind: string;
  /** Unique within the scenario. */
  readonly name: string;
  readonly guard: string | null;
  /** True if the harness adds the check to every scenario. Such a check is proved once for all. */
  readonly common: boolean;
}

/** The result of one run of a scenario: its checks by place, or why it could not be judged. */
export interface TrialRun extends Pick<ProofSaboteur, 'diagnosed' | 'seconds' | 'processes' | 'artifacts'> {
  readonly green: readonly boolean[];
  readonly error: string | null;
  /** Why the saboteur broke nothing although the run took place, or null. */
  readonly harmless: string | null;
  /** Whose fault the failure is; null if nothing failed. */
  readonly fault: Fault | null;
}

/** A saboteur of a scenario, and its run if it had one. */
export interface Trial extends Pick<ProofSaboteur, 'name' | 'origin' | 'breaks' | 'failure'> {
  readonly kills: readonly string[];
  /** Why it may go unnoticed, or null. */
  readonly excuse: string | null;
  /** Why it does not run at all, or null. */
  readonly skip: {
    readonly verdict: 'ineffective' | 'not-applicable' | 'left-out';
    readonly reason: string;
  } | null;
  /** Null if it did not run. */
  readonly run: TrialRun | null;
}

/** The checks of a scenario on the evidence of its good run, in which one thing was changed. Nothing runs. */
export interface MadeTrial {
  /** What was changed. */
  readonly name: string;
  readonly green: readonly boolean[];
}

/** An honest variant of a scenario's agent, and its run if it had one. */
export interface TriedVariant {
  readonly name: string;
  readonly skip: { readonly verdict: 'exempt' | 'idle'; readonly reason: string } | null;
  readonly run: Pick<TrialRun, 'green' | 'error' | 'artifacts' | 'processes'> | null;
  /** The processes of the runs that this variant was the first or the only one in. */
  readonly processes: number;
  /** What turned red only together with other variants of its bundle, or null. */
  readonly together: {
    readonly names: readonly string[];
    readonly broken: readonly string[];
    readonly error: string | null;
    readonly artifacts: string | null;
  } | null;
  /** Whether its bundle turned something red once, and nothing when it was played again. */
  readonly flaky: boolean;
}

/** A scenario with everything that was tried on it. */
export interface TriedScenario {
  readonly id: string;
  readonly backend: BackendId;
  readonly covers: readonly string[];
  readonly checks: readonly DeclaredCheck[];
  /** Why some checks may fail without a saboteur, or null. */
  readonly knownIssue: string | null;
  readonly oracle: Omit<ProofOracle, 'broken'> & { readonly green: readonly boolean[] };
  readonly trials: readonly Trial[];
  readonly made: readonly MadeTrial[];
  readonly variants: readonly TriedVariant[];
  /** What its checks want from the agent although nothing asks for it. */
  readonly unasked: readonly string[];
}
