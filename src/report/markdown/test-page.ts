import type { Report, ReportResult } from '../../domain/report/report.js';
import type { Detail, Fact } from '../content/content.js';
import { cut, facts, inCode, own, words } from '../content/content.js';
import { blocks, writeLine, writeMarkdown } from '../content/markdown.js';
import { contextBlocks } from '../sections/context.js';
import { DATA_NOTICE, describeTarget, folderFacts } from '../sections/run.js';
import { testBlocks } from '../sections/test.js';
import { markOf } from '../words/outcome-words.js';
import { backendName } from '../words/words.js';
import { linkFailure } from './failed.js';

/** How much of each text a page shows; the file has the rest. Failed tests get more; each page names all checks. */
const checks = Number.POSITIVE_INFINITY;
const FAILED: Detail = { text: 16_000, line: 600, rows: 60, iterations: 12, checks };
const PASSED: Detail = { text: 4_000, line: 600, rows: 20, iterations: 6, checks };

/** Renders everything about one test, passed or not: what was checked, and all that the run left behind. */
export function renderTestPage(report: Report, result: ReportResult): string {
  const detail = result.passed ? PASSED : FAILED;
  const place = { base: PAGES_ABOVE };
  return `${blocks(
    titleOfPage(result),
    writeMarkdown(facts(pageFacts(report))),
    DATA_NOTICE,
    writeMarkdown(
      testBlocks(result, { detail, target: report.target, pages: linkFailure(result, PAGES_ABOVE) }),
      place,
    ),
    '## Context',
    result.context === null ? 'Nothing was recorded.' : writeMarkdown(contextBlocks(result, detail), place),
  )}\n`;
}

/** The pages of tests are two folders below the reports. */
const PAGES_ABOVE = '../../';

/** Renders the title of a page on one test. */
export function titleOfPage(result: ReportResult): string {
  const { scenario_id, backend, outcome } = result;
  return `# ${markOf(result)} ${writeLine(words`${inCode(scenario_id, 80)} on ${own(backendName(backend))}: ${own(outcome)}`)}`;
}

/** Says which run a page is about. */
export function pageFacts(report: Report): Fact[] {
  return [
    ['Target', describeTarget(report)],
    [
      'Run',
      words`${inCode(report.run_id, 80)} in the ${own(report.lane)} lane, ${cut(report.timestamp, 40)}`,
    ],
    ...folderFacts(report),
  ];
}
