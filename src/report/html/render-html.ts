import type { ReportPlace } from '../../domain/report/formats.js';
import type { Report } from '../../domain/report/report.js';
import { bulleted, fold, heading, own, quiet, type ReportBlock, words } from '../content/content.js';
import {
  analystBlocks,
  goneBlocks,
  knownIssueBlocks,
  loopholeBlocks,
  rationalizationBlocks,
  recommendationBlocks,
  skipBlocks,
} from '../sections/advice.js';
import { countCauses } from '../sections/causes.js';
import { proofBlocks } from '../sections/figures.js';
import { baselineBlocks, repeatBlocks } from '../sections/repeats.js';
import { backendBlocks, environmentBlocks } from '../sections/run.js';
import type { Pieces } from '../text/pieces.js';
import { oneLine } from '../text/safe-text.js';
import { nameVerdict } from '../words/outcomes.js';
import { countOf } from '../words/words.js';
import { bulletList, commandBox, fitList, folded, oneForeign, writeHtml } from './content.js';
import { bytesOf, html, isEmpty, Markup, renderPage, type Section } from './page.js';
import { indexPage, type PageIndex } from './places.js';
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
/** The most bytes and rows of a list, and the most tests that one entry names; nobody reads more. */
const LIST = { bytes: 50_000, rows: 200, tests: 20 };

/** Renders the report as one page that opens from disk, loads nothing from the network, and works without scripts. */
export function renderHtml(report: Report, place: ReportPlace = 'top'): Pieces {
  const index = indexPage(report, place);
  const section = (id: string, title: string, body: readonly ReportBlock[]): Section => ({
    id,
    title,
    body: writeHtml(body, index),
  });
  const before: Section[] = [
    { id: 'summary', title: 'Summary', body: renderSummarySection(report, index) },
    {
      id: 'causes',
      title: 'Causes',
      heading: countCauses(report.causes),
      body: renderCausesSection(report, index),
    },
    section('repeats', 'Repeats', repeatBlocks(report, LIST.rows)),
    section('without-plugin', 'Without the plugin', baselineBlocks(report, LIST.rows)),
    {
      id: 'advice',
      title: 'What to do',
      body: html`${renderCommands(report, index)}${writeHtml(recommendationBlocks(report, { limit: LIST.bytes, tests: LIST.tests }), index)}`,
    },
  ];
  const after = [
    section('claims', 'Claims against the evidence', claimBlocks(report)),
    section('analyst', 'Analysis by Ralph', analystBlocks(report, LIST.bytes)),
    section('known-issues', 'Known issues', issueBlocks(report)),
    section('skipped', 'Skipped', skipBlocks(report.results, LIST)),
    section('proof', 'Proof', proofBlocks(report)),
    section('environment', 'Environment', [
      ...environmentBlocks(report),
      heading(3, own('Agent CLIs')),
      ...backendBlocks(report),
    ]),
    section('files', 'Files', fileBlocks(report)),
  ];
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
  const failed = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error').length;
  const further = Math.max(0, results.length - SIZE.tests);
  const forFailed = Math.min(failed * SIZE.bytesOfFailed, SIZE.bytesOfAllFailed);
  return SIZE.bytes + forFailed + further * SIZE.bytesOfFurther;
}

/** Up to so many commands for single tests are shown at once. */
const SHOWN_COMMANDS = 2;

/** Renders one command for everything that failed, and the commands for single tests. */
function renderCommands(
  { quick_fix_commands, resume_command, results }: Report,
  { runAnywhere }: PageIndex,
): Markup {
  const single = new Set(results.map(({ repeat_command }) => repeat_command));
  const goOn =
    resume_command === null ? [] : [{ description: 'Go on with this run', command: resume_command }];
  const whole = [...goOn, ...quick_fix_commands.filter(({ command }) => !single.has(command))];
  const rest = quick_fix_commands.filter(({ command }) => single.has(command));
  const boxes = (commands: typeof rest) => {
    const items = commands.map(
      ({ description, command }) =>
        html`<p>${oneForeign(description, 200)}</p>${commandBox(runAnywhere(command))}`,
    );
    return bulletList(fitList(items, { limit: LIST.bytes }), 'commands');
  };
  if (whole.length === 0 && rest.length <= SHOWN_COMMANDS) return boxes(rest);
  return html`${boxes(whole)}${rest.length > 0 && folded('Commands for single tests', boxes(rest), String(rest.length))}`;
}

function claimBlocks(report: Report): ReportBlock[] {
  const ways = loopholeBlocks(report, LIST.bytes);
  return [
    ...rationalizationBlocks(report),
    ...(ways.length === 0 ? [] : [heading(3, own('Loopholes')), ...ways]),
  ];
}

/** Promises that this version is known to break, and those that it now keeps. They do not fail the run. */
function issueBlocks({ results }: Report): ReportBlock[] {
  const known = results.filter(({ outcome }) => outcome === 'known-issue');
  return [...goneBlocks(results, LIST.bytes), ...knownIssueBlocks(known, LIST.bytes)];
}

/** The files that the run left on disk. */
function fileBlocks({ artifacts }: Report): ReportBlock[] {
  const items = artifacts.map(
    ({ path, description }) => words`${{ kind: 'file', text: path }} ${quiet(description)}`,
  );
  return fold(
    '',
    'Files of this run',
    bulleted(items, { limit: LIST.bytes }),
    countOf(artifacts.length, 'folder'),
  );
}
