import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { sizeOf } from '../../domain/text/fit.js';
import { cut, type Detail, facts, inCode, type Line, own, words } from '../content/content.js';
import { blocks, writeLine, writeMarkdown } from '../content/markdown.js';
import { commandAnywhere } from '../model/places.js';
import { contextBlocks } from '../sections/context.js';
import { DATA_NOTICE, describeTarget, folderFacts } from '../sections/run.js';
import { testBlocks } from '../sections/test.js';
import { markOf } from '../words/outcomes.js';
import { backendName, laneMeaning } from '../words/words.js';
import { linkPages, renderTest } from './test.js';

/** How much of each text a page shows; the file has the rest. Failed tests get more; each page names all checks. */
const checks = Number.POSITIVE_INFINITY;
const FAILED: Detail = { text: 16_000, rows: 60, iterations: 12, checks };
const PASSED: Detail = { text: 4_000, rows: 20, iterations: 6, checks };

/** The pages of tests are two folders below the reports. */
const PLACE = { base: '../../' };

/** Renders everything about one test, passed or not: what was checked, and all that the run left behind. */
export function renderTestPage(report: Report, result: ReportResult): string {
  const detail = result.passed ? PASSED : FAILED;
  const again = commandAnywhere(report, result.repeat_command);
  const pages = linkPages(result, PLACE, 'test');
  return `${blocks(
    renderHead(report, result),
    writeMarkdown(testBlocks(result, { detail, target: report.target, again, pages }), PLACE),
    '## Context',
    result.context === null ? 'Nothing was recorded.' : writeMarkdown(contextBlocks(result, detail), PLACE),
  )}\n`;
}

/** About 4,000 tokens: an agent can read one failure at once and has room to think. */
const PAGE_LIMIT = 16_000;

/** Renders everything needed to investigate one failure, within the limit; says where the rest is. */
export function renderFailurePage(report: Report, result: ReportResult): string {
  const head = renderHead(report, result);
  const again = commandAnywhere(report, result.repeat_command);
  const room = PAGE_LIMIT - sizeOf(head) - 3;
  const instead = 'Too long for this page: see report.json.';
  return `${blocks(head, renderTest(result, { report, room, place: PLACE, level: 2, instead, again }))}\n`;
}

/** Says which test and which run a page is about. */
function renderHead(report: Report, result: ReportResult): string {
  const { run_id, lane, timestamp } = report;
  const { scenario_id, backend, outcome } = result;
  const title: Line = words`${inCode(scenario_id, 80)} on ${own(backendName(backend))}: ${own(outcome)}`;
  return blocks(
    `# ${markOf(result)} ${writeLine(title)}`,
    writeMarkdown(
      facts([
        ['Target', describeTarget(report)],
        ['Run', words`${inCode(run_id, 80)}, ${cut(timestamp, 40)}`],
        ['Lane', own(`${lane} (${laneMeaning(lane)})`)],
        ...folderFacts(report),
      ]),
    ),
    DATA_NOTICE,
  );
}
