import type { Diagnosis, Excuses, Execution, PassedAnalysis, Recommendation, RunFacts } from './analysis.js';
import type { ReportResult } from './report.js';

/** How a run is judged beyond its checks. Reports take it as an argument, so that they need not know who judges. */
export interface Analysis {
  /** One diagnosis for each execution, in their order; each has an attempt that did not pass, the last failed attempt counts, or else the last that did not pass. */
  readonly diagnose: (failures: readonly Execution[], run: RunFacts) => readonly Diagnosis[];
  /** Judges how well an execution passed: its last attempt did. */
  readonly assess: (passed: Execution, run: RunFacts) => PassedAnalysis;
  readonly recommend: (results: readonly ReportResult[], run: RunFacts) => readonly Recommendation[];
  /** What the agents of these executions claimed against the evidence, and what of that comes back. */
  readonly findExcuses: (failures: readonly Execution[]) => Excuses;
}
