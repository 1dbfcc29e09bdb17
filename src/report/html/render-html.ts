import type { ReportPlace } from '../../domain/report/formats.js';
import type { Report } from '../../domain/report/report.js';
import { isFailure } from '../../domain/vocabulary.js';
import { countCauses } from '../sections/causes.js';
import { listSections } from '../sections/report.js';
import type { Pieces } from '../text/pieces.js';
import { oneLine } from '../text/safe-text.js';
import { nameVerdict } from '../words/outcomes.js';
import { writeHtml } from './content.js';
import { bytesOf, isEmpty, Markup, renderPage, type Section } from './page.js';
import { indexPage } from './places.js';
import { SCRIPT } from './script.js';
import { PAGE_STYLE } from './style.js';
import { renderCausesSection, renderReportHeader, renderSummarySection } from './summary.js';
import { renderTests } from './tests.js';

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
/** How much the lists show; nobody reads more. */
const ROOM = { list: 50_000, known: 50_000, skips: 200, rows: 200, tests: 20 };
/** What a reader needs before the tests. */
const BEFORE_TESTS: ReadonlySet<string> = new Set(['repeats', 'without-plugin', 'advice', 'commands']);

/** Renders the report as one page that opens from disk, loads nothing from the network, and works without scripts. */
export function renderHtml(report: Report, place: ReportPlace = 'top'): Pieces {
  const index = indexPage(report, place);
  const parts = listSections(report, ROOM).map(
    ({ id, title, body }): Section => ({ id, title, body: writeHtml(body, index) }),
  );
  const before: Section[] = [
    { id: 'summary', title: 'Summary', body: renderSummarySection(report, index) },
    {
      id: 'causes',
      title: 'Causes',
      heading: countCauses(report.causes),
      body: renderCausesSection(report, index),
    },
    ...parts.filter(({ id }) => BEFORE_TESTS.has(id)),
  ];
  const after = parts.filter(({ id }) => !BEFORE_TESTS.has(id));
  const header = renderReportHeader(report, index);
  const taken = [header, ...[...before, ...after].map(({ body }) => body)].reduce(
    (sum, part) => sum + (part instanceof Markup ? bytesOf(part) : 0),
    PAGE_STYLE.length + SCRIPT.length + FRAME,
  );
  const body = renderTests(report, { room: sizeFor(report) - taken, index });
  const sections = [...before, { id: 'tests', title: 'Tests', body }, ...after].filter(
    (one) => !(one.body instanceof Markup && isEmpty(one.body)),
  );
  const title = `${nameVerdict(report).word}: ${oneLine(report.verdict, 120)}`;
  return renderPage({ title, header, sections, script: SCRIPT });
}

function sizeFor({ results }: Report): number {
  const failed = results.filter(isFailure).length;
  const further = Math.max(0, results.length - SIZE.tests);
  const forFailed = Math.min(failed * SIZE.bytesOfFailed, SIZE.bytesOfAllFailed);
  return SIZE.bytes + forFailed + further * SIZE.bytesOfFurther;
}
