import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';

/** A cause and the tests that failed through it, the clearest first. */
export interface BrokenCause {
  readonly cause: FailureCause;
  readonly first: ReportResult;
  readonly tests: readonly ReportResult[];
}

/** Lists the causes of failures, without tests that are inconclusive: those say nothing about Ralph. */
export function listBrokenCauses({ causes, results }: Report): BrokenCause[] {
  const byLabel = new Map(results.map((result) => [testLabel(result.scenario_id, result.backend), result]));
  return causes.flatMap((cause) => {
    const tests = cause.tests
      .map((label) => byLabel.get(label))
      .filter((result) => result !== undefined)
      .filter(({ inconclusive }) => !inconclusive);
    const [first] = tests;
    return first === undefined ? [] : [{ cause, first, tests }];
  });
}
