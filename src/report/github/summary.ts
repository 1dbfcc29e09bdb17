import { involvesRalph, type Target } from '../../domain/attempt.js';
import { groupBy } from '../../domain/common/group-by.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { renderFailedTest, renderInconclusiveTest, wordsOf } from '../markdown/failed.js';
import { renderQuickFixes, renderSummary, titleOf } from '../markdown/head.js';
import { renderGone } from '../markdown/known.js';
import { blocks, details, fitItems, headAndTail, table } from '../markdown/parts.js';
import { renderSkippedTests } from '../markdown/tail.js';
import { findDivergence } from '../model/divergence.js';
import { findWrongMoment, nameMoment } from '../model/wrong-moment.js';
import { inBlocks, type Pieces } from '../text/pieces.js';
import { codeSpan, fencedBlock, inlineText, linePair } from '../text/safe-text.js';
import { sourcesOf } from '../words/cause-words.js';
import { describeBroken } from '../words/failure-words.js';
import { describeResultFault, INCONCLUSIVE_ADVICE, INCONCLUSIVE_MARK } from '../words/fault-words.js';
import { describeShard, describeShards } from '../words/shard-words.js';
import { backendName, countOf, formatDuration } from '../words/words.js';
import { type BrokenCause, listBrokenCauses } from './broken-causes.js';

/** GitHub accepts one mebibyte per step; nobody reads that much, and other tools write to the same file. */
const PART_LIMIT = 24_000;
const SHOWN_CAUSES = 10;
const SHOWN_TESTS = 6;
const SHOWN_ROWS = 50;

/** Renders the job summary, which appears on the page of a workflow run: the causes first, then the tests, folded. */
export function* renderGithubSummary(report: Report): Pieces {
  const having = (...outcomes: ReportResult['outcome'][]) =>
    report.results.filter(({ outcome }) => outcomes.includes(outcome));
  const failed = having('failed', 'error');
  yield* inBlocks([
    `# ${titleOf(report)}: ralph-e2e${describeOn(report)}`,
    `${inlineText(report.verdict, 300)} (${report.lane} lane, ${formatDuration(report.duration_seconds)}${report.shard === null ? '' : `, ${describeShard(report.shard)}`})`,
    ...(report.shards === null ? [] : [`Merged from ${describeShards(report.shards)}.`]),
    renderBrokenCauses(listBrokenCauses(report)),
    renderSummary(report),
    renderBroken(
      failed.filter(({ inconclusive }) => !inconclusive),
      report.target,
    ),
    renderInconclusive(failed.filter(({ inconclusive }) => inconclusive)),
    renderFlaky(having('flaky')),
    renderKnown(having('known-issue')),
    renderGone(report.results),
    renderSkips(having('skipped')),
    renderQuickFixes(report),
  ]);
  yield '\n';
}

function describeOn({ target, ralph_version }: Report): string {
  if (!involvesRalph(target)) return '';
  return ` on ${inlineText(target.kind === 'real' ? `ralph ${ralph_version}` : 'the stand-in ralph', 80)}`;
}

function renderBrokenCauses(causes: readonly BrokenCause[]): string {
  if (causes.length === 0) return '';
  const tests = causes.reduce((sum, cause) => sum + cause.tests.length, 0);
  const left = causes.length - SHOWN_CAUSES;
  return blocks(
    `## 🎯 ${countOf(causes.length, 'cause')}, ${countOf(tests, 'test')}`,
    ...causes.slice(0, SHOWN_CAUSES).map(renderBrokenCause),
    left > 0 ? `${countOf(left, 'more cause')} in report.json.` : '',
  );
}

function renderBrokenCause({ cause, first, tests }: BrokenCause, index: number): string {
  const area = cause.areas.length === 0 ? '' : ` (${inlineText(cause.areas.join(', '), 120)})`;
  const further = cause.promises.filter(({ promise }) => !cause.hypothesis.includes(promise));
  const named = headAndTail(tests, SHOWN_TESTS);
  return blocks(
    `### ${index + 1}. ${countOf(tests.length, 'test')}${area}`,
    inlineText(cause.hypothesis, 600),
    [
      ...renderDivergentCheck(first),
      ...further.slice(0, 3).map(({ promise }) => `- Ralph promises: ${inlineText(promise, 300)}`),
      ...sourcesOf(cause)
        .slice(0, 3)
        .map((source) => `- Look at: ${codeSpan(source, 200)}`),
      ...cause.contrast.map((line) => `- In common: ${inlineText(line, 300)}`),
      `- Tests: ${named.kept.map((test) => codeSpan(labelOfTest(test), 100)).join(', ')}${named.left > 0 ? `, and ${named.left} more` : ''}`,
    ].join('\n'),
    first.repeat_command === ''
      ? ''
      : fencedBlock(first.repeat_command, { limit: 1_000, whole: null, language: 'bash' }),
  );
}

/** Renders where the test that shows the cause best went wrong first. */
function renderDivergentCheck(result: ReportResult): string[] {
  const check = findDivergence(result);
  if (check === undefined) return [];
  const moment = nameMoment(findWrongMoment(result), result);
  const [expected, actual] = linePair(check.expected, check.actual, 400);
  return [
    `- First divergence, in ${codeSpan(labelOfTest(result), 100)}${moment === null ? '' : `, ${moment}`}: ${inlineText(check.name, 200)}`,
    `  - Expected: ${codeSpan(expected, 400)}`,
    `  - Received: ${codeSpan(actual, 400)}`,
  ];
}

function renderBroken(results: readonly ReportResult[], target: Target): string {
  if (results.length === 0) return '';
  const more = (left: number) => `${countOf(left, 'more test')} in report.json.`;
  const rows = results.map((result) => [
    codeSpan(labelOfTest(result), 100),
    inlineText(describeBroken(result, 240), 240),
    result.diagnosis ? wordsOf(result.diagnosis.failure_type) : '',
  ]);
  const left = rows.length - SHOWN_ROWS;
  const pages = results.map((result) =>
    details(`${labelOfTest(result)}: all about it`, renderFailedTest(result, { target })),
  );
  return blocks(
    '## 🔴 Failed Tests',
    details(
      `All ${countOf(results.length, 'failed test')}`,
      blocks(
        table(['Test', 'What broke', 'Diagnosis'], rows.slice(0, SHOWN_ROWS)),
        left > 0 ? more(left) : '',
      ),
    ),
    fitItems(pages, { limit: PART_LIMIT, separator: '\n\n', more }),
  );
}

function renderInconclusive(results: readonly ReportResult[]): string {
  if (results.length === 0) return '';
  const more = (left: number) => `${countOf(left, 'more test')} in report.json.`;
  const pages = results.map((result) =>
    details(`${labelOfTest(result)}: ${describeResultFault(result)}`, renderInconclusiveTest(result)),
  );
  return blocks(
    `## ${INCONCLUSIVE_MARK} Inconclusive Tests`,
    INCONCLUSIVE_ADVICE,
    fitItems(pages, { limit: PART_LIMIT, separator: '\n\n', more }),
  );
}

function renderFlaky(results: readonly ReportResult[]): string {
  const items = results.map(
    ({ scenario_id, backend, attempts }) =>
      `- ${codeSpan(scenario_id, 80)} on ${backendName(backend)}: ${countOf(attempts.length, 'attempt')}`,
  );
  const more = (left: number) => `- ${left} more in report.json`;
  return results.length === 0
    ? ''
    : blocks('## 🔁 Flaky Tests', fitItems(items, { limit: 4_000, separator: '\n', more }));
}

/** Renders known issues, each once, without links: pages of tests are not on GitHub. */
function renderKnown(results: readonly ReportResult[]): string {
  if (results.length === 0) return '';
  const items = [...groupBy(results, ({ scenario_id }) => scenario_id)].map(([id, group]) => {
    const issue = group[0]?.known_issue;
    const backends = group.map(({ backend }) => backendName(backend)).join(', ');
    return `- ${codeSpan(id, 80)} on ${backends}: ${inlineText(issue?.reason ?? '', 300)} (known up to ${inlineText(issue?.up_to ?? '', 40)})`;
  });
  const more = (left: number) => `- ${left} more in report.json`;
  return details(
    `🐞 ${countOf(results.length, 'test')} with a known issue`,
    fitItems(items, { limit: 6_000, separator: '\n', more }),
  );
}

function renderSkips(results: readonly ReportResult[]): string {
  const page = renderSkippedTests(results);
  return page.length <= PART_LIMIT ? page : `${countOf(results.length, 'test')} skipped, see report.json.`;
}

function labelOfTest({ scenario_id, backend }: ReportResult): string {
  return testLabel(scenario_id, backend);
}
