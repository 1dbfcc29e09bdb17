import {
  FAILURE_PAGES,
  failurePagePath,
  needsPage,
  TEST_PAGES,
  testPagePath,
} from '../../domain/report/failure-pages.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { testLabel } from '../../domain/vocabulary.js';
import {
  bulleted,
  command,
  cut,
  type Detail,
  heading,
  joined,
  type Line,
  own,
  type ReportBlock,
  words,
} from '../content/content.js';
import { blocks, writeMarkdown } from '../content/markdown.js';
import { subtitle } from '../sections/advice.js';
import { briefContextBlocks } from '../sections/context.js';
import { testBlocks, testTitle } from '../sections/test.js';
import { renderToFit, sizeOf } from '../text/fit.js';
import { countBroken, describeBroken, INCONCLUSIVE_ADVICE, INCONCLUSIVE_MARK } from '../words/outcomes.js';
import { backendName, countOf } from '../words/words.js';

/** The causes that are shown with one of their tests. */
export const SHOWN_CAUSES = 4;
const LIST_LIMIT = 3_000;
/** Links lead to pages beside the report. */
const HERE = { base: '' };

/** How much the report shows of a test, the most first. */
const DETAILS: readonly Detail[] = [
  { text: 1_200, line: 400, rows: 16, iterations: 1 },
  { text: 600, line: 240, rows: 10, iterations: 1 },
  { text: 300, line: 160, rows: 6, iterations: 1 },
  { text: 160, line: 120, rows: 4, iterations: 1 },
  { text: 80, line: 80, rows: 2, iterations: 1 },
];

/** Renders one test of each of the largest causes, with its context; the others are links. */
export function renderFailedTests(report: Report, results: readonly ReportResult[], room: number): string {
  if (results.length === 0) return '';
  const title =
    countBroken(report.summary) > 0 ? '🔴 Failed Tests' : '💥 Tests that could not be carried out';
  const examples = chooseExamples(report, results);
  const rest = results.filter((result) => !examples.includes(result)).map(describeFailed);
  const links = writeMarkdown(
    rest.length === 0
      ? []
      : [
          subtitle('Other failed tests'),
          ...bulleted(rest, {
            limit: Math.min(LIST_LIMIT, room / 4),
            more: (left) => `${countOf(left, 'more test')} in \`${FAILURE_PAGES}/\``,
          }),
        ],
    HERE,
  );
  const share = Math.floor((room - sizeOf(links) - 500) / Math.max(1, examples.length));
  const shown = examples.map((result) => renderExample(report, result, share));
  return blocks(`## ${title}`, ...shown, links);
}

/** Chooses the tests that show the largest causes best; without causes, the first tests. */
function chooseExamples({ causes }: Report, results: readonly ReportResult[]): readonly ReportResult[] {
  const labels = causes.slice(0, SHOWN_CAUSES).map(({ tests }) => tests[0]);
  const chosen = results.filter(({ scenario_id, backend }) =>
    labels.includes(testLabel(scenario_id, backend)),
  );
  return chosen.length > 0 ? chosen : results.slice(0, SHOWN_CAUSES);
}

/** So many bytes about one test are worth reading. */
const TEST_LIMIT = 7_000;

function renderExample(report: Report, result: ReportResult, room: number): string {
  const test = fitTest(result, room, (detail) =>
    testBlocks(result, { detail, target: report.target, pages: linkPages(result, '') }),
  );
  if (test === '') return writeMarkdown(bulleted([describeFailed(result)]), HERE);
  const context = renderToFit([1, 0.6, 0.35, 0.2, 0.1], Math.min(room - sizeOf(test), 3_500), (scale) =>
    measured(writeMarkdown(briefContextBlocks(result, scale))),
  );
  return blocks(test, context ?? '');
}

function measured(text: string) {
  return { rendered: text, size: sizeOf(text) };
}

/** Writes a test below its name in as much detail as there is room for; nothing if there is none. */
function fitTest(result: ReportResult, room: number, describe: (detail: Detail) => ReportBlock[]): string {
  return writeToFit(room, (detail) =>
    writeMarkdown([heading(3, testTitle(result)), ...describe(detail)], HERE),
  );
}

/** Writes about a test in as much detail as there is room for; nothing if there is none. */
export function writeToFit(room: number, write: (detail: Detail) => string): string {
  return renderToFit(DETAILS, Math.min(room, TEST_LIMIT), (detail) => measured(write(detail))) ?? '';
}

/** Links to the page on a failure and to the one with everything. Their names are plain, whatever a test is called. */
function linkPages(result: ReportResult, base: string): Line {
  const failure = linkFailure(result, base);
  return joined([
    ...(failure === null ? [] : [failure]),
    own(`[everything about it](${base}${testPagePath(result)})`),
  ]);
}

/** Links to the page on a failure, if there is one. */
export function linkFailure(result: ReportResult, base: string): Line {
  return needsPage(result) ? own(`[the failure](${base}${failurePagePath(result)})`) : null;
}

export function linkTo(test: ReportResult): Line {
  return {
    kind: 'page',
    test,
    line: words`${cut(test.scenario_id, 80)} on ${own(backendName(test.backend))}`,
  };
}

/** Describes a failed test on one line. */
function describeFailed(result: ReportResult): Line {
  return words`${linkTo(result)}: ${cut(describeBroken(result, 160), 160)}`;
}

/** Renders results that say nothing about the target, with the command that runs each again. */
export function renderInconclusive(
  { target }: Report,
  results: readonly ReportResult[],
  room: number,
): string {
  return renderSome(results, {
    title: `${INCONCLUSIVE_MARK} Inconclusive Tests`,
    lead: INCONCLUSIVE_ADVICE,
    room,
    describe: (result, detail) => [
      ...testBlocks(result, { detail, target, pages: linkPages(result, ''), hasDiagnosis: false }),
      ...command(result.repeat_command),
    ],
  });
}

export function renderFlaky({ target }: Report, results: readonly ReportResult[], room: number): string {
  return renderSome(results, {
    title: '🔁 Flaky Tests',
    room,
    describe: (result, detail) =>
      testBlocks(
        { ...result, analysis: null, assertions: [] },
        { detail, target, pages: linkPages(result, '') },
      ),
  });
}

interface Some {
  readonly title: string;
  readonly lead?: string;
  readonly room: number;
  readonly describe: (result: ReportResult, detail: Detail) => ReportBlock[];
}

/** Renders as many tests as fit; the others are links. */
function renderSome(results: readonly ReportResult[], { title, lead = '', room, describe }: Some): string {
  if (results.length === 0) return '';
  const shown: string[] = [];
  let left = room - LIST_LIMIT / 2;
  for (const result of results) {
    const text = fitTest(result, Math.min(left, 2_500), (detail) => describe(result, detail));
    if (text === '') break;
    shown.push(text);
    left -= sizeOf(text);
  }
  const links = bulleted(results.slice(shown.length).map(linkTo), {
    limit: LIST_LIMIT / 2,
    more: (more) => `${countOf(more, 'more test')} in \`${TEST_PAGES}/\``,
  });
  return blocks(`## ${title}`, lead, ...shown, writeMarkdown(links, HERE));
}
