import type { FailureCause } from '../../domain/report/failure-cause.js';
import { TEST_PAGES } from '../../domain/report/failure-pages.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { testLabel } from '../../domain/vocabulary.js';
import {
  bulleted,
  command,
  cut,
  type Fact,
  facts,
  heading,
  inCode,
  type Line,
  listed,
  own,
  paragraph,
  type ReportBlock,
  table,
  testName,
  words,
} from '../content/content.js';
import { blocks, writeMarkdown, writeSection } from '../content/markdown.js';
import { describeUntested } from '../model/describe-run.js';
import { commandAnywhere } from '../model/places.js';
import {
  analystBlocks,
  goneBlocks,
  knownIssueBlocks,
  loopholeBlocks,
  rationalizationBlocks,
  recommendationBlocks,
  skipBlocks,
  subtitle,
} from '../sections/advice.js';
import { causeBlocks, countCauses } from '../sections/causes.js';
import { historyBlocks, proofBlocks } from '../sections/figures.js';
import { QUALITY_MARKS, qualityBlocks, SCORES } from '../sections/quality.js';
import { baselineBlocks, repeatBlocks } from '../sections/repeats.js';
import {
  artifactBlocks,
  backendBlocks,
  DATA_NOTICE,
  environmentBlocks,
  runFacts,
  summaryBlocks,
} from '../sections/run.js';
import { fitParts, headAndTail, type PagePart, sizeOf } from '../text/fit.js';
import type { Pieces } from '../text/pieces.js';
import { oneLine, quoteCommand } from '../text/safe-text.js';
import { markOf, titleOf } from '../words/outcomes.js';
import { countOf } from '../words/words.js';
import { linkTo, renderFailedTests, renderFlaky, renderInconclusive, SHOWN_CAUSES } from './failed.js';

/** A person can read it, and an agent has room to think. The pages in `report/tests/` have the rest. */
const LIMIT = 40_000;
/** So many bytes of a list are worth reading; its end says how many more there are. */
const LIST_LIMIT = 3_000;
const LONG_LIST = 6_000;
/** Links lead to pages beside the report. */
const HERE = { base: '' };

/** Renders the report for people and agents: the verdict, the causes with one test each, and links to everything else. */
export function* renderMarkdown(report: Report): Pieces {
  const having = (...outcomes: ReportResult['outcome'][]) =>
    report.results.filter(({ outcome }) => outcomes.includes(outcome));
  const red = having('failed', 'error');
  const broken = red.filter(({ inconclusive }) => !inconclusive);
  const unclear = red.filter(({ inconclusive }) => inconclusive);
  const [known, skipped] = [having('known-issue'), having('skipped')];
  const section = (rank: number, title: string, body: readonly ReportBlock[]): PagePart => ({
    rank,
    render: () => writeSection(title, body, HERE),
  });
  // In the order of the page. Parts with a low rank get their space first.
  const parts: PagePart[] = [
    { rank: 0, render: () => renderHead(report) },
    section(0, 'Summary', summaryBlocks(report)),
    { rank: 1, render: () => renderCauses(report) },
    { rank: 5, render: (room) => renderFailedTests(report, broken, room) },
    { rank: 4, render: (room) => renderInconclusive(report, unclear, Math.min(room, 8_000)) },
    { rank: 4, render: (room) => renderFlaky(report, having('flaky'), Math.min(room, LONG_LIST)) },
    section(2, '🎲 Repeats', repeatBlocks(report, 40)),
    section(2, '🔌 Without the plugin', baselineBlocks(report, 30)),
    section(
      2,
      `🐞 Known Issues (${known.length})`,
      red.length > 0 ? nameSome(known) : knownIssueBlocks(known, LONG_LIST),
    ),
    section(2, '✅ Known Issues That No Longer Occur', goneBlocks(report.results, LIST_LIMIT)),
    section(3, '🧠 Analysis by Ralph', analystBlocks(report, LIST_LIMIT)),
    section(2, '📋 Recommendations', recommendationBlocks(report, { limit: LONG_LIST, tests: 3 })),
    section(1, '🔧 Quick Fix Commands', commandBlocks(report)),
    section(6, '📋 Rationalization Analysis', rationalizationBlocks(report)),
    section(6, '🔓 Discovered Loopholes', loopholeBlocks(report, LONG_LIST)),
    { rank: 7, render: (room) => renderPassed(having('passed', 'flaky'), room) },
    section(
      3,
      `⏭️ Skipped Tests (${skipped.length})`,
      skipBlocks(skipped, { rows: red.length > 0 ? 3 : 12, tests: 4 }),
    ),
    section(3, '🧪 What this green is worth', proofBlocks(report)),
    section(3, '📈 History', historyBlocks(report)),
    section(2, '🖥️ Environment', environmentBlocks(report)),
    section(2, '📁 Files', artifactBlocks(report)),
  ];
  yield fitParts(parts, LIMIT - 1);
  yield '\n';
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
    writeMarkdown(backendBlocks(report)),
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
  return writeSection(`🎯 Causes: ${countCauses(causes)}`, [
    paragraph(
      words`${inCode('failures.json')} has every cause in at most 7 KB, for an agent: with the trace, the log, the configuration and what each test expected and received.`,
    ),
    ...shown,
    ...(others.length === 0
      ? []
      : [
          subtitle('Other causes'),
          ...bulleted(others, {
            limit: LIST_LIMIT,
            more: (left) => `${countOf(left, 'more cause')} in failures.json`,
          }),
        ]),
  ]);
}

/** Names a cause by its place, its size and its area: `1. 2 tests (prompt)`. */
export function titleOfCause({ tests, areas }: Pick<FailureCause, 'tests' | 'areas'>, index: number): string {
  const area = areas.length === 0 ? '' : ` (${oneLine(areas.join(', '), 120)})`;
  return `${index + 1}. ${countOf(tests.length, 'test')}${area}`;
}

/** Names known issues: beside a failure, a few links are enough. */
function nameSome(results: readonly ReportResult[]): ReportBlock[] {
  if (results.length === 0) return [];
  const { kept, left } = headAndTail(results, 4);
  return [paragraph(listed({ kept: kept.map(linkTo), left }))];
}

/** So many tests get a command of their own. */
const SHOWN_COMMANDS = 3;

/** Lists commands to paste. Those of tests that failed stand with their causes. */
export function commandBlocks(report: Report): ReportBlock[] {
  const { resume_command, causes, results, quick_fix_commands } = report;
  const failed = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  const explained = new Set(causes.length === 0 ? [] : failed.map(({ repeat_command }) => repeat_command));
  const open = quick_fix_commands.filter((fix) => !explained.has(fix.command));
  const commands = [
    ...(resume_command === null ? [] : [{ description: 'Go on with this run', command: resume_command }]),
    ...open.slice(0, SHOWN_COMMANDS),
  ];
  if (commands.length === 0) return [];
  const { started_in } = report.environment;
  const left = open.length - SHOWN_COMMANDS;
  const items = [
    ...(started_in === '' ? [] : [quoteCommand(['cd', started_in])]),
    ...commands.map((fix) => `# ${oneLine(fix.description, 200)}\n${fix.command}`),
    ...(left > 0 ? [`# ${left} more in report.json`] : []),
  ];
  return command(items.join('\n\n'));
}

/** Renders passed tests by quality, and those that could be better; each has a page with everything about it. */
function renderPassed(results: readonly ReportResult[], room: number): string {
  if (results.length === 0) return '';
  const scoreOf = ({ analysis }: ReportResult) => analysis?.quality_score ?? null;
  const rankOf = (result: ReportResult) => SCORES.indexOf(scoreOf(result) ?? 'Optimal');
  const rows = SCORES.map((score): Line[] => {
    const having = results.filter((result) => scoreOf(result) === score);
    const names = headAndTail(
      having.map(({ scenario_id, backend }) => testName(testLabel(scenario_id, backend))),
      8,
    );
    return [
      own(`${QUALITY_MARKS[score]} ${score}`),
      having.length,
      having.length === 0 ? own('-') : listed(names),
    ];
  });
  const isJudged = results.some((result) => scoreOf(result) !== null);
  const head = writeSection(`✅ Passed Tests (${results.length})`, [
    paragraph(words`${inCode(`${TEST_PAGES}/`)} has a page for each of them.`),
    ...(isJudged ? [subtitle('Summary by Quality'), ...table(['Quality', 'Count', 'Tests'], rows)] : []),
  ]);
  const others = results.filter((result) => rankOf(result) > 0).toSorted((a, b) => rankOf(b) - rankOf(a));
  const shown: string[] = [];
  let left = room - sizeOf(head) - 200;
  for (const result of others) {
    const text = writeMarkdown(
      [heading(3, words`${own(markOf(result))} ${linkTo(result)}`), ...qualityBlocks(result, 16)],
      HERE,
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
