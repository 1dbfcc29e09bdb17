import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { countOf } from './words.js';

/** Says how many causes and tests there are: `2 causes, 28 tests`. */
export function countCauses(causes: readonly FailureCause[]): string {
  const tests = causes.reduce((sum, cause) => sum + cause.tests.length, 0);
  return `${countOf(causes.length, 'cause')}, ${countOf(tests, 'test')}`;
}

/** Finds the test that shows a cause best. */
export function findBestTest(
  { results }: Report,
  { tests: [label] }: FailureCause,
): ReportResult | undefined {
  return results.find(({ scenario_id, backend }) => testLabel(scenario_id, backend) === label);
}

/** Returns the parts of Ralph to look at: the areas, and the places in its source. */
export function sourcesOf({ promises }: FailureCause): string[] {
  return [...new Set(promises.map(({ source }) => source))];
}
