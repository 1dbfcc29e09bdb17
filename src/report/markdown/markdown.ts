import { causeKey } from '../../domain/report/failure-cause.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { renderProofSection } from '../proof/section.js';
import { inBlocks, type Pieces } from '../text/pieces.js';
import { countBroken, INCONCLUSIVE_ADVICE, INCONCLUSIVE_MARK } from '../words/fault-words.js';
import { renderAnalyst } from './analyst.js';
import { renderCauses } from './causes.js';
import { FAILED_LIMITS, renderContext } from './context.js';
import { renderFailedLine, renderFailedTest, renderFlakyTest, renderInconclusiveTest } from './failed.js';
import { renderHead, renderQuickFixes, renderRecommendations, renderSummary } from './head.js';
import { renderHistory } from './history.js';
import { renderGone, renderKnownIssues } from './known.js';
import { blocks, details, fitItems } from './parts.js';
import { renderPassedTests } from './passed.js';
import { renderLoopholes, renderRationalizations } from './rationalizations.js';
import { renderArtifacts, renderEnvironment, renderSkippedTests } from './tail.js';

/** The essential part comes first, within about 8,000 tokens: an agent can read it at once. */
const SHORT_PART_LIMIT = 31_000;
const LIST_LIMIT = 3_000;

/** Renders the report for people and agents: verdict, failures, diagnosis and commands first, then all context, folded. */
export function* renderMarkdown(report: Report): Pieces {
  const red = report.results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  const failed = red.filter(({ inconclusive }) => !inconclusive);
  const unclear = red.filter(({ inconclusive }) => inconclusive);
  const flaky = report.results.filter(({ outcome }) => outcome === 'flaky');
  const passed = report.results.filter(({ outcome }) => outcome === 'passed' || outcome === 'flaky');
  const known = report.results.filter(({ outcome }) => outcome === 'known-issue');
  const skipped = report.results.filter(({ outcome }) => outcome === 'skipped');

  const head = blocks(renderHead(report), renderSummary(report), renderCauses(report.causes));
  const advice = blocks(renderRecommendations(report), renderQuickFixes(report));
  const issues = blocks(renderKnownIssues(known), renderGone(report.results));
  const room = SHORT_PART_LIMIT - head.length - issues.length - renderAnalyst(report).length - advice.length;
  const title =
    countBroken(report.summary) > 0 ? '## 🔴 Failed Tests' : '## 💥 Tests that could not be carried out';
  const keyOf = ({ diagnosis }: ReportResult) => (diagnosis ? causeKey(diagnosis) : undefined);
  const firstOf = new Map(failed.toReversed().map((result) => [keyOf(result), result]));
  const renderFailed = (result: ReportResult) => {
    const first = result.diagnosis ? firstOf.get(keyOf(result)) : undefined;
    return renderFailedTest(result, first === undefined || first === result ? null : first);
  };
  const failures = renderWithin(failed, { title, render: renderFailed, room });
  const undecided = renderInconclusive(unclear, room - failures.short.length);
  const unsteady = renderWithin(flaky, {
    title: '## 🔁 Flaky Tests',
    render: renderFlakyTest,
    room: room - failures.short.length - undecided.short.length,
  });

  yield* inBlocks([
    head,
    failures.short,
    undecided.short,
    unsteady.short,
    issues,
    renderAnalyst(report),
    advice,
    '---',
    failures.rest,
    undecided.rest,
    unsteady.rest,
    renderRationalizations(report),
    renderLoopholes(report),
    renderFailedContext(red),
    renderPassedTests(passed),
    renderSkippedTests(skipped),
    renderProofSection(report),
    renderHistory(report),
    renderEnvironment(report),
    renderArtifacts(report),
  ]);
  yield '\n';
}

/** Renders results that say nothing about Ralph, with the command that runs each again. */
function renderInconclusive(results: readonly ReportResult[], room: number) {
  const title = `## ${INCONCLUSIVE_MARK} Inconclusive Tests`;
  const pages = renderWithin(results, { title, render: renderInconclusiveTest, room });
  return { ...pages, short: pages.short.replace(title, blocks(title, INCONCLUSIVE_ADVICE)) };
}

interface Room {
  readonly title: string;
  readonly render: (result: ReportResult) => string;
  /** How many characters are left in the short part. */
  readonly room: number;
}

/** Renders as many tests as fit into the short part; the others are listed there and rendered below. */
function renderWithin(results: readonly ReportResult[], { title, render, room }: Room) {
  if (results.length === 0) return { short: '', rest: '' };
  const pages: string[] = [];
  let used = LIST_LIMIT;
  for (const result of results) {
    const page = render(result);
    used += page.length + 2;
    if (used > room) break;
    pages.push(page);
  }
  const left = results.slice(pages.length);
  const others = fitItems(left.map(renderFailedLine), {
    limit: Math.min(LIST_LIMIT, room) - 400,
    separator: '\n',
    more: (left) => `- ${left} more`,
  });
  return {
    short: blocks(
      title,
      ...pages,
      others === '' ? '' : blocks(`Told further below, under "${withoutMarks(title)}, continued":`, others),
    ),
    rest: renderEach(left, { title: `${title}, continued`, render }),
  };
}

function withoutMarks(title: string): string {
  return title.replace(/^[^A-Z]*/, '');
}

function renderFailedContext(results: readonly ReportResult[]): Pieces {
  return renderEach(results, {
    title: results.some(({ outcome }) => outcome === 'failed')
      ? '## 📚 Context of Failed Tests'
      : '## 📚 Context of these Tests',
    render: (result) =>
      details(
        `📚 Context of ${testLabel(result.scenario_id, result.backend)}`,
        renderContext(result, FAILED_LIMITS),
      ),
  });
}

/** Renders a title and, lazily, a block for each test. */
function* renderEach(
  results: readonly ReportResult[],
  { title, render }: Pick<Room, 'title' | 'render'>,
): Pieces {
  if (results.length === 0) return;
  yield title;
  for (const result of results) yield render(result);
}
