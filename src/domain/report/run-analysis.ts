import type { IterationTrace } from '../diagnosis/trace.js';
import type { Diagnosis, Excuses, Execution, PassedAnalysis, Recommendation, RunFacts } from './analysis.js';
import type { FailureCause } from './failure-cause.js';
import type { ReportResult } from './result.js';

/** A failed test with its diagnosis. */
export interface Diagnosed {
  readonly execution: Execution;
  readonly diagnosis: Diagnosis;
}

/** Judges a run beyond its checks. Reports get it as an argument, so that they do not depend on who judges. */
export interface Analysis {
  /** Returns one diagnosis per execution: of its last failed attempt, or else of the last that did not pass. */
  readonly diagnose: (failures: readonly Execution[], run: RunFacts) => readonly Diagnosis[];
  /** Shows the iteration in which a failure began; null if it did not begin in a loop of Ralph. */
  readonly trace: (failure: Execution, run: RunFacts) => IterationTrace | null;
  /** Groups failures by their cause, the one with the most tests first. */
  readonly listCauses: (
    failed: readonly Diagnosed[],
    passed: readonly Execution[],
  ) => readonly FailureCause[];
  /** Judges how well an execution passed. Its last attempt must have passed. */
  readonly assess: (passed: Execution, run: RunFacts) => PassedAnalysis;
  /** Returns recommendations for the whole run. */
  readonly recommend: (results: readonly ReportResult[], run: RunFacts) => readonly Recommendation[];
  /** Finds claims of agents that the evidence contradicts, and those that recur. */
  readonly findExcuses: (failures: readonly Execution[]) => Excuses;
}
