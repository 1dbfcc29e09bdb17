import type { FailureCause } from '../../domain/report/failure-cause.js';
import { TEST_PAGES } from '../../domain/report/failure-pages.js';
import type { Report } from '../../domain/report/report.js';
import { labelOf, type ReportResult } from '../../domain/report/result.js';
import { fitParts, headAndTail, type PagePart, sizeOf } from '../../domain/text/fit.js';
import {
  bulleted,
  cut,
  type Fact,
  facts,
  heading,
  inCode,
  type Line,
  listed,
  own,
  paragraph,
  table,
  testName,
  words,
} from '../content/content.js';
import { blocks, type MarkdownPlace, writeMarkdown, writeSection } from '../content/markdown.js';
import { describeUntested } from '../model/describe-run.js';
import { commandAnywhere, placePaths } from '../model/places.js';
import { causeBlocks, countCauses } from '../sections/causes.js';
import { QUALITY_MARKS, qualityBlocks, SCORES } from '../sections/quality.js';
import { listSections } from '../sections/report.js';
import { DATA_NOTICE, runFacts, summaryBlocks } from '../sections/run.js';
import type { Pieces } from '../text/pieces.js';
import { oneLine } from '../text/safe-text.js';
import { markOf, titleOf } from '../words/outcomes.js';
import { countOf } from '../words/words.js';
import { linkTo, renderFailedTests, renderFlaky, renderInconclusive, SHOWN_CAUSES } from './tests.js';

/** A person can read it, and an agent has room to think. The pages in `report/tests/` have the rest. */
const LIMIT = 40_000;
/** So many bytes of a list are worth reading; its end says how many more there are. */
const LIST = 6_000;
/** Links lead to pages beside the report. */
const HERE: MarkdownPlace = { base: '' };

/** Renders the report for people and agents: the verdict, the causes with one test each, and links to everything else. */
export function* renderMarkdown(report: Report, place = HERE): Pieces {
  const having = (...outcomes: ReportResult['outcome'][]) =>
    report.results.filter(({ outcome }) => outcomes.includes(outcome));
  const red = having('failed', 'error');
  const broken = red.filter(({ inconclusive }) => !inconclusive);
  const unclear = red.filter(({ inconclusive }) => inconclusive);
  const room = red.length > 0 ? { known: 700, skips: 3 } : { known: LIST, skips: 12 };
  const sections = listSections(report, { ...room, list: LIST, rows: 40, tests: 4 });
  // In the order of the page. Parts with a low rank get their space first.
  const parts: PagePart[] = [
    { rank: 0, render: () => renderHead(report) },
    { rank: 0, render: () => writeSection(own('Summary'), summaryBlocks(report), place) },
    { rank: 1, render: () => renderCauses(report) },
    { rank: 5, render: (left) => renderFailedTests(report, broken, { room: left, place }) },
    {
      rank: 4,
      render: (left) => renderInconclusive(report, unclear, { room: Math.min(left, 8_000), place }),
    },
    {
      rank: 4,
      render: (left) => renderFlaky(report, having('flaky'), { room: Math.min(left, LIST), place }),
    },
    { rank: 7, render: (left) => renderPassed(having('passed', 'flaky'), { room: left, place }) },
    ...sections.map(({ rank, mark, title, body }) => ({
      rank,
      render: () => writeSection(own(`${mark} ${title}`), body, place),
    })),
  ];
  yield fitParts(parts, LIMIT - 1);
  yield '\n';
}

/** Renders the job summary of a GitHub workflow: the report, on a page that has no other pages beside it. */
export function renderJobSummary(report: Report): Pieces {
  return renderMarkdown(placePaths(report, 'top'), { base: null });
}

function renderHead(report: Report): string {
  return blocks(
    '# E2E Test Report',
    `## ${titleOf(report)}`,
    writeMarkdown(
      facts([
        ['Verdict', cut(report.verdict, 300)],
        ...describeUntested(report.backends_untested).map((one): Fact => ['Not tested', cut(one, 300)]),
        ...runFacts(report),
      ]),
    ),
    DATA_NOTICE,
  );
}

/** Says why tests failed: an entry for each of the first causes, however many tests it breaks; the others get a line. */
function renderCauses(report: Report): string {
  const { causes } = report;
  if (causes.length === 0) return '';
  const shown = causes.slice(0, SHOWN_CAUSES).flatMap((cause, index) => [
    heading(3, own(titleOfCause(cause, index))),
    paragraph(cut(cause.hypothesis, 600)),
    ...causeBlocks(report, cause, {
      hypothesis: 600,
      tests: 6,
      // One of its tests is shown below.
      isBrief: true,
      again: ({ repeat_command }) => commandAnywhere(report, repeat_command),
    }),
  ]);
  const others = causes
    .slice(SHOWN_CAUSES)
    .map(
      ({ tests, hypothesis }): Line =>
        words`${own(countOf(tests.length, 'test'))}, such as ${testName(tests[0] ?? '')}: ${cut(hypothesis, 240)}`,
    );
  return writeSection(own(`🎯 Causes: ${countCauses(causes)}`), [
    paragraph(
      words`${inCode('failures.json')} has every cause in at most 7 KB, for an agent: with the trace, the log, the configuration and what each test expected and received.`,
    ),
    ...shown,
    ...(others.length === 0
      ? []
      : [
          heading(3, own('Other causes')),
          ...bulleted(others, {
            limit: LIST,
            more: (left) => `${countOf(left, 'more cause')} in failures.json`,
          }),
        ]),
  ]);
}

/** Names a cause by its place, its size and its area: `1. 2 tests (prompt)`. */
function titleOfCause({ tests, areas }: Pick<FailureCause, 'tests' | 'areas'>, index: number): string {
  const area = areas.length === 0 ? '' : ` (${oneLine(areas.join(', '), 120)})`;
  return `${index + 1}. ${countOf(tests.length, 'test')}${area}`;
}

/** Renders passed tests by quality, and those that could be better; each has a page with everything about it. */
function renderPassed(
  results: readonly ReportResult[],
  { room, place }: { readonly room: number; readonly place: MarkdownPlace },
): string {
  if (results.length === 0) return '';
  const scoreOf = ({ analysis }: ReportResult) => analysis?.quality_score ?? null;
  const rankOf = (result: ReportResult) => SCORES.indexOf(scoreOf(result) ?? 'Optimal');
  const rows = SCORES.map((score): Line[] => {
    const having = results.filter((result) => scoreOf(result) === score);
    const names = headAndTail(having.map(labelOf).map(testName), 8);
    return [
      own(`${QUALITY_MARKS[score]} ${score}`),
      having.length,
      having.length === 0 ? own('-') : listed(names),
    ];
  });
  const isJudged = results.some((result) => scoreOf(result) !== null);
  const head = writeSection(own(`✅ Passed Tests (${results.length})`), [
    paragraph(words`${inCode(`${TEST_PAGES}/`)} has a page for each of them.`),
    ...(isJudged
      ? [heading(3, own('Summary by Quality')), ...table(['Quality', 'Count', 'Tests'], rows)]
      : []),
  ]);
  const others = results.filter((result) => rankOf(result) > 0).toSorted((a, b) => rankOf(b) - rankOf(a));
  const shown: string[] = [];
  let left = room - sizeOf(head) - 200;
  for (const result of others) {
    const text = writeMarkdown(
      [heading(3, words`${own(markOf(result))} ${linkTo(result)}`), ...qualityBlocks(result, 16)],
      place,
    );
    left -= sizeOf(text) + 2;
    if (left < 0) break;
    shown.push(text);
  }
  const more = others.length - shown.length;
  return blocks(
    head,
    ...shown,
    more > 0 ? `${countOf(more, 'more test')} could be better: see report.json.` : '',
  );
}
