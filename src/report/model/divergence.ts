import { sortByMoment } from '../../domain/diagnosis/divergence.js';
import type { ReportAssertion, ReportResult } from '../../domain/report/report.js';

/** Finds the failed assertion that looks at the earliest moment of the run. */
export function findDivergence(
  result: Pick<ReportResult, 'assertions' | 'context'>,
): ReportAssertion | undefined {
  return sortFailed(result).at(0);
}

/** Sorts the failed assertions by the moment that they look at. */
export function sortFailed({
  assertions,
  context,
}: Pick<ReportResult, 'assertions' | 'context'>): ReportAssertion[] {
  const worn = context?.iterations.map(({ hat }) => hat ?? '') ?? [];
  return sortByMoment(
    assertions.filter(({ passed }) => !passed),
    worn,
  );
}
