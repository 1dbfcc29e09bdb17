import type { Counts, Report } from './report.js';

/** What a run shows as a whole. Words, marks, colors and exit codes follow from it. */
export type RunVerdict =
  /** The target broke a promise. */
  | 'failed'
  /** The harness or the machine did. */
  | 'error'
  | 'inconclusive'
  | 'interrupted'
  | 'nothing-tested'
  /** What ran is fine, and something that was asked for did not run. */
  | 'incomplete'
  | 'passed';

interface Judged
  extends Pick<Report, 'run_errors' | 'interrupted' | 'backends_untested' | 'spending' | 'repeat'> {
  readonly summary: Counts;
  readonly results: readonly Pick<Report['results'][number], 'skip_cause'>[];
}

/** Decides the verdict. If several hold, the gravest counts. */
export function decideVerdict(report: Judged): RunVerdict {
  const { summary, run_errors, interrupted, repeat } = report;
  if (countBroken(summary) > 0 || (repeat?.defects ?? 0) > 0) return 'failed';
  if (summary.errors > 0 || run_errors.length > 0) return 'error';
  if (summary.inconclusive > 0) return 'inconclusive';
  if (interrupted) return 'interrupted';
  if (summary.total === 0) return 'nothing-tested';
  return isComplete(report) ? 'passed' : 'incomplete';
}

/** Whether everything ran that was asked for: every named backend, within the budget, to the last repeat. */
export function isComplete({ backends_untested, spending, repeat, results }: Judged): boolean {
  return (
    backends_untested.length === 0 &&
    (spending?.not_run ?? 0) === 0 &&
    (repeat?.incomplete ?? 0) === 0 &&
    !results.some(({ skip_cause }) => skip_cause?.kind === 'run-ended')
  );
}

/** Counts the failures that are the target's. */
export function countBroken({ failed, inconclusive }: Pick<Counts, 'failed' | 'inconclusive'>): number {
  return failed - inconclusive;
}
