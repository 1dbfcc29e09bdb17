import type { ReportResult } from './report.js';

/** The folder of the pages for single failures, inside the folder of the reports. */
export const FAILURE_PAGES = 'report/failures';

/** Whether a test gets its own page. A known issue does too: somebody may want to fix it. */
export function needsPage({ outcome }: Pick<ReportResult, 'outcome'>): boolean {
  return outcome === 'failed' || outcome === 'error' || outcome === 'known-issue';
}

/** Returns the file name of a test's page: one plain path segment, whatever the id is. */
export function failurePageName({
  scenario_id,
  backend,
}: Pick<ReportResult, 'scenario_id' | 'backend'>): string {
  const plain = scenario_id.replace(/[^a-z0-9._-]/gi, '_').slice(0, 150);
  return `${plain.replace(/^[._-]/, '_')}-${backend}.md`;
}

/** Returns the path of a test's page, relative to the folder of the reports. */
export function failurePagePath(result: Pick<ReportResult, 'scenario_id' | 'backend'>): string {
  return `${FAILURE_PAGES}/${failurePageName(result)}`;
}
