import { type FailedInOrder, orderFailed } from '../../domain/diagnosis/divergence.js';
import type { ReportAssertion, ReportResult } from '../../domain/report/report.js';

type Diverging = Pick<ReportResult, 'assertions' | 'context' | 'trace'>;

/** Finds the failed assertion that shows first where the run went wrong. */
export function findDivergence(result: Diverging): ReportAssertion | undefined {
  return sortFailed(result).at(0);
}

/** Sorts the failed assertions by the moment that they look at. The one that the diagnosis starts from is the first. */
export function sortFailed(result: Diverging): ReportAssertion[] {
  const { shown, consequences } = splitFailed(result);
  return [...shown, ...consequences];
}

/** Sorts the failed assertions, and sets those apart that follow from a prompt without an answer. */
export function splitFailed({ assertions, context, trace }: Diverging): FailedInOrder<ReportAssertion> {
  const worn = context?.iterations.map(({ hat }) => hat ?? '') ?? [];
  const leads = ({ key }: ReportAssertion) => trace !== null && key === trace.assertion;
  return orderFailed(
    assertions.filter(({ passed }) => !passed),
    worn,
    leads,
  );
}
