import type { CheckResult } from '../../domain/check.js';
import type { Evidence } from '../../domain/evidence/evidence.js';

/** What a fault is decided by. It never includes the lane: a script and a model are judged alike. */
export interface FaultFacts {
  readonly checks: readonly CheckResult[];
  readonly evidence: Evidence;
  /** The names of the checks that a known issue of the target breaks anyway. */
  readonly excused?: readonly string[];
}
