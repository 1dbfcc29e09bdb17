import type { ReportPlace } from '../../domain/report/formats.js';
import type { Report } from '../../domain/report/report.js';
import type { Pieces } from '../text/pieces.js';
import { oneLine } from '../text/safe-text.js';
import { countCauses } from '../words/cause-words.js';
import { renderAdvice, renderKnownIssuesSection } from './advice.js';
import { renderAnalystSection } from './analyst.js';
import { renderBaselineSection } from './baseline.js';
import { renderCausesSection } from './causes/section.js';
import { indexPage } from './page/address.js';
import { bytesOf, isEmpty, Markup } from './page/markup.js';
import { renderPage, type Section } from './page/page.js';
import { SCRIPT } from './page/script.js';
import { PAGE_STYLE } from './page/style.js';
import { renderProof } from './proof.js';
import { renderRepeatsSection } from './repeats.js';
import { renderReportHeader, renderSummarySection } from './summary.js';
import { renderEnvironmentSection, renderFilesSection, renderSkippedSection } from './tail.js';
import { renderClaims } from './test/claims.js';
import { renderTests } from './test/tests.js';
import { nameVerdict } from './words.js';

/** The maximum size of the file: so much for up to so many tests, more for each test that failed, and a row for each further test. */
const SIZE = {
  tests: 100,
  bytes: 1_000_000,
  bytesOfFailed: 25_000,
  bytesOfAllFailed: 3_000_000,
  bytesOfFurther: 1_000,
};
/** The maximum size of the navigation and the frame of the page. */
const FRAME = 4_000;

/** Renders the report as one page that opens from disk, loads nothing from the network, and works without scripts. */
export function renderHtml(report: Report, place: ReportPlace = 'top'): Pieces {
  const root = { root: report.environment.workspace, runs: place === 'top' ? 'runs/' : '../' };
  const index = indexPage(report);
  const before = [
    { id: 'summary', title: 'Summary', body: renderSummarySection(report, index) },
    {
      id: 'causes',
      title: 'Causes',
      heading: countCauses(report.causes),
      body: renderCausesSection(report, index),
    },
    { id: 'repeats', title: 'Repeats', body: renderRepeatsSection(report, index) },
    { id: 'without-plugin', title: 'Without the plugin', body: renderBaselineSection(report, index) },
    { id: 'advice', title: 'What to do', body: renderAdvice(report, index) },
  ];
  const after = [
    { id: 'claims', title: 'Claims against the evidence', body: renderClaims(report) },
    { id: 'analyst', title: 'Analysis by Ralph', body: renderAnalystSection(report) },
    { id: 'known-issues', title: 'Known issues', body: renderKnownIssuesSection(report, index) },
    { id: 'skipped', title: 'Skipped', body: renderSkippedSection(report) },
    { id: 'proof', title: 'Proof', body: renderProof(report) },
    { id: 'environment', title: 'Environment', body: renderEnvironmentSection(report) },
    { id: 'files', title: 'Files', body: renderFilesSection(report, root) },
  ];
  const header = renderReportHeader(report);
  const taken = [header, ...[...before, ...after].map(({ body }) => body)].reduce(
    (sum, part) => sum + bytesOf(part),
    PAGE_STYLE.length + SCRIPT.length + FRAME,
  );
  const tests: Section = {
    id: 'tests',
    title: 'Tests',
    body: renderTests(report, { room: sizeFor(report) - taken, index, root }),
  };
  const sections = [...before, tests, ...after].filter(
    ({ body }) => !(body instanceof Markup && isEmpty(body)),
  );
  const title = `${nameVerdict(report).word}: ${oneLine(report.verdict, 120)}`;
  return renderPage({ title, header, sections, script: SCRIPT });
}

function sizeFor({ results }: Report): number {
  const failed = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error').length;
  const further = Math.max(0, results.length - SIZE.tests);
  const forFailed = Math.min(failed * SIZE.bytesOfFailed, SIZE.bytesOfAllFailed);
  return SIZE.bytes + forFailed + further * SIZE.bytesOfFurther;
}
