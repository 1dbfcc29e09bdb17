import type { ReportResult } from './report.js';

/** The folder of the pages on single failures, below the one that holds the reports. */
export const FAILURE_PAGES = 'report/failures';

/** The tests that get a page of their own. A known issue does too: somebody may want to fix it. */
export function needsPage({ outcome }: Pick<ReportResult, 'outcome'>): boolean {
  return outcome === 'failed' || outcome === 'error' || outcome === 'known-issue';
}

/** The name of a test's page: always one plain path segment, whatever the id is. */
export function failurePageName({
  scenario_id,
  backend,
}: Pick<ReportResult, 'scenario_id' | 'backend'>): string {
  const plain = scenario_id.replace(/[^a-z0-9._-]/gi, '_').slice(0, 150);
  return `${plain.replace(/^[._-]/, '_')}-${backend}.md`;
}

/** Where a test's page lies, seen from the folder that holds the reports. */
export function failurePagePath(result: Pick<ReportResult, 'scenario_id' | 'backend'>): string {
  return `${FAILURE_PAGES}/${failurePageName(result)}`;
}
