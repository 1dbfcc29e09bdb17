import { failurePagePath, needsPage, TEST_PAGES, testPagePath } from '../../domain/report/failure-pages.js';
import type { Report } from '../../domain/report/report.js';
import { labelOf, type ReportResult } from '../../domain/report/result.js';
import { countBroken } from '../../domain/report/verdict.js';
import { fitParts, renderToFit, sizeOf } from '../../domain/text/fit.js';
import {
  bulleted,
  cut,
  type Detail,
  facts,
  heading,
  inCode,
  type Line,
  own,
  paragraph,
  words,
} from '../content/content.js';
import { blocks, type MarkdownPlace, writeLine, writeMarkdown, writeSection } from '../content/markdown.js';
import { commandAnywhere } from '../model/places.js';
import { contextBlocks, listCourseParts } from '../sections/context.js';
import { DATA_NOTICE, describeTarget, folderFacts } from '../sections/run.js';
import { headBlocks, listTestParts, type TestPart, testBlocks, testTitle } from '../sections/test.js';
import {
  describeBroken,
  INCONCLUSIVE_ADVICE,
  INCONCLUSIVE_MARK,
  markOf,
  nameStanding,
} from '../words/outcomes.js';
import { backendName, countOf, laneMeaning } from '../words/words.js';

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

/** The causes that are shown with one of their tests. */
export const SHOWN_CAUSES = 4;
const LIST_LIMIT = 3_000;
/** So many bytes about one test are worth reading in the report. */
const TEST_LIMIT = 7_000;

/** How much is shown of a test, the most first. */
const DETAILS: readonly Detail[] = [
  { text: 1_500, rows: 16, iterations: 1 },
  { text: 750, rows: 10, iterations: 1 },
  { text: 375, rows: 6, iterations: 1 },
  { text: 150, rows: 4, iterations: 1 },
];

const LEAST: Detail = { text: 80, rows: 2, iterations: 1 };

interface TestPlace {
  readonly report: Report;
  /** In bytes. */
  readonly room: number;
  readonly place: MarkdownPlace;
  /** The level of the title of a part. */
  readonly level: 2 | 4;
  /** Stands in place of a part that has no room. */
  readonly instead?: string;
  /** The command that runs the test again; null if it stands elsewhere on the page. */
  readonly again: string | null;
}

/**
 * Renders what is needed to investigate one test, in as much detail as there is room for, and then without its least
 * important parts. A page on a failure, and the tests in the report, are this.
 */
function renderTest(result: ReportResult, { report, room, place, ...look }: TestPlace): string {
  const pages = linkPages(result, place, look.level === 2 ? 'failure' : null);
  const known = { target: report.target, again: look.again, pages };
  const at = (detail: Detail) => [
    ...listTestParts(result, { ...known, detail }),
    ...(result.passed ? [] : listCourseParts(result, detail)),
  ];
  const write = ({ title, body }: TestPart) => writeSection(title, body, place, look.level);
  const head = writeMarkdown(headBlocks(result, { ...known, detail: LEAST }), place);
  const left = room - sizeOf(head) - 2;
  const whole = renderToFit(DETAILS, left, (detail) => {
    const rendered = blocks(...at(detail).map(write));
    return { rendered, size: sizeOf(rendered) };
  });
  const parts = at(LEAST).map((part) => ({
    rank: part.rank,
    render: () => write(part),
    ...(part.body.length === 0 || look.instead === undefined
      ? {}
      : { instead: writeSection(part.title, [paragraph(own(look.instead))], place, look.level) }),
  }));
  return blocks(head, whole ?? fitParts(parts, left));
}

/** Links to the page on a failure and to the one with everything. Their names are plain, whatever a test is called. */
function linkPages(
  result: ReportResult,
  { base }: MarkdownPlace,
  self: 'failure' | 'test' | null = null,
): Line {
  if (base === null) return null;
  const links = [
    ...(needsPage(result) && self !== 'failure' ? [`[the failure](${base}${failurePagePath(result)})`] : []),
    ...(self === 'test' ? [] : [`[everything about it](${base}${testPagePath(result)})`]),
  ];
  return links.length === 0 ? null : own(links.join(', '));
}

/** Names a test, as a link to its page. */
export function linkTo(test: ReportResult): Line {
  const line = words`${cut(test.scenario_id, 80)} on ${own(backendName(test.backend))}`;
  return { kind: 'page', test, line };
}

/** Describes a failed test on one line. */
function describeFailed(result: ReportResult): Line {
  return words`${linkTo(result)}: ${cut(describeBroken(result, 160), 160)}`;
}

/** How a part of the report shows its tests. */
interface Some {
  readonly title: string;
  readonly lead?: string;
  readonly place: MarkdownPlace;
  /** All bytes of the part, and those of one test. */
  readonly room: number;
  readonly each: number;
  readonly describe: (result: ReportResult) => Line;
  readonly again: (result: ReportResult) => string | null;
}

/** Renders the first tests as far as they fit, each in the same space; the others are lines. */
function renderSome(
  report: Report,
  [first, rest]: readonly [readonly ReportResult[], readonly ReportResult[]],
  { title, lead = '', place, room, each, describe, again }: Some,
): string {
  if (first.length === 0) return '';
  const limit = Math.min(LIST_LIMIT, room / 4);
  const shown: string[] = [];
  let left = room - (first.length + rest.length > 1 ? limit : 0) - 200;
  for (const result of first) {
    const own = Math.min(each, Math.floor(left / Math.max(1, first.length - shown.length)));
    const head = writeMarkdown([heading(3, testTitle(result))]);
    const test = renderTest(result, {
      report,
      room: own - sizeOf(head),
      place,
      level: 4,
      again: again(result),
    });
    const text = blocks(head, test);
    if (sizeOf(text) > left) break;
    shown.push(text);
    left -= sizeOf(text) + 2;
  }
  const others = [...first.slice(shown.length), ...rest];
  const more = (count: number) => `${countOf(count, 'more test')} in \`${TEST_PAGES}/\``;
  const list = bulleted(others.map(describe), { limit, more });
  const links = list.length === 0 || shown.length === 0 ? list : [heading(3, own('Others')), ...list];
  return blocks(`## ${title}`, lead, ...shown, writeMarkdown(links, place));
}

type TestsLook = Pick<Some, 'room' | 'place'>;

/** Renders one test of each of the largest causes; the others are links. */
export function renderFailedTests(report: Report, results: readonly ReportResult[], look: TestsLook): string {
  const isBroken = countBroken(report.summary) > 0;
  const examples = chooseExamples(report, results);
  return renderSome(report, [examples, results.filter((result) => !examples.includes(result))], {
    ...look,
    title: isBroken ? '🔴 Failed Tests' : '💥 Tests that could not be carried out',
    each: TEST_LIMIT,
    describe: describeFailed,
    // It stands with the cause.
    again: ({ repeat_command }) =>
      report.causes.length > 0 ? null : commandAnywhere(report, repeat_command),
  });
}

/** Chooses the tests that show the largest causes best; without causes, the first tests. */
function chooseExamples({ causes }: Report, results: readonly ReportResult[]): readonly ReportResult[] {
  const labels = causes.slice(0, SHOWN_CAUSES).map(({ tests }) => tests[0]);
  const chosen = results.filter((result) => labels.includes(labelOf(result)));
  return chosen.length > 0 ? chosen : results.slice(0, SHOWN_CAUSES);
}

/** Renders results that say nothing about the target, with the command that runs each again. */
export function renderInconclusive(
  report: Report,
  results: readonly ReportResult[],
  look: TestsLook,
): string {
  return renderSome(report, [results, []], {
    ...look,
    title: `${INCONCLUSIVE_MARK} ${nameStanding('inconclusive')} Tests`,
    lead: INCONCLUSIVE_ADVICE,
    each: 2_500,
    describe: linkTo,
    again: ({ repeat_command }) => commandAnywhere(report, repeat_command),
  });
}

/** Renders the tests that did not pass every time. */
export function renderFlaky(report: Report, results: readonly ReportResult[], look: TestsLook): string {
  const attempts = results.map((result) => ({ ...result, analysis: null, assertions: [] }));
  return renderSome(report, [attempts, []], {
    ...look,
    title: '🔁 Flaky Tests',
    each: 2_500,
    describe: linkTo,
    again: () => null,
  });
}
