import { isFailure } from '../vocabulary.js';
import type { ReportResult } from './result.js';

/** What an agent needs to fix what failed, for all causes. */
export const FAILURES_FILE = 'failures.json';

/** The folder of the pages for single failures, inside the folder of the reports. */
export const FAILURE_PAGES = 'report/failures';

/** The folder of the pages with everything about a test. */
export const TEST_PAGES = 'report/tests';

/** Whether a test gets its own page. A known issue does too: somebody may want to fix it. */
export function needsPage(result: Pick<ReportResult, 'outcome'>): boolean {
  return isFailure(result) || result.outcome === 'known-issue';
}

/** Returns the file name of a test's page: one plain path segment, whatever the id is. */
export function pageName({ scenario_id, backend }: Pick<ReportResult, 'scenario_id' | 'backend'>): string {
  const plain = scenario_id.replace(/[^a-z0-9._-]/gi, '_').slice(0, 150);
  return `${plain.replace(/^[._-]/, '_')}-${backend}.md`;
}

/** Returns the path of the page on a failure, relative to the folder of the reports. */
export function failurePagePath(result: Pick<ReportResult, 'scenario_id' | 'backend'>): string {
  return `${FAILURE_PAGES}/${pageName(result)}`;
}

/** Returns the path of the page with everything about a test, relative to the folder of the reports. */
export function testPagePath(result: Pick<ReportResult, 'scenario_id' | 'backend'>): string {
  return `${TEST_PAGES}/${pageName(result)}`;
}
