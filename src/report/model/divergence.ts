import { sortByMoment } from '../../domain/diagnosis/divergence.js';
import type { ReportAssertion, ReportResult } from '../../domain/report/report.js';

type Diverging = Pick<ReportResult, 'assertions' | 'context' | 'trace'>;

/** Finds the failed assertion that shows first where the run went wrong. */
export function findDivergence(result: Diverging): ReportAssertion | undefined {
  return sortFailed(result).at(0);
}

/** Sorts the failed assertions by the moment that they look at. The one that the diagnosis starts from is the first. */
export function sortFailed({ assertions, context, trace }: Diverging): ReportAssertion[] {
  const worn = context?.iterations.map(({ hat }) => hat ?? '') ?? [];
  const sorted = sortByMoment(
    assertions.filter(({ passed }) => !passed),
    worn,
  );
  const leads = ({ key }: ReportAssertion) => trace !== null && key === trace.assertion;
  return [...sorted.filter(leads), ...sorted.filter((assertion) => !leads(assertion))];
}
