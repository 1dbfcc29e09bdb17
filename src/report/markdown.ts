import type { Report, ReportResult } from '../domain/report.js';
import { renderAnalyst } from './markdown-analyst.js';
import { FAILED_LIMITS, renderContext } from './markdown-context.js';
import { renderFailedLine, renderFailedTest, renderFlakyTest } from './markdown-failed.js';
import { renderHead, renderQuickFixes, renderRecommendations, renderSummary } from './markdown-head.js';
import { renderHistory } from './markdown-history.js';
import { renderKnownIssues } from './markdown-known.js';
import { blocks, details, fitItems } from './markdown-parts.js';
import { renderPassedTests } from './markdown-passed.js';
import { renderLoopholes, renderRationalizations } from './markdown-rationalizations.js';
import { renderArtifacts, renderEnvironment, renderSkippedTests } from './markdown-tail.js';
import { renderProofSection } from './proof-section.js';
import { testLabel } from './words.js';

/** What matters comes first and within this many characters, about 8,000 tokens: an agent reads it in one go. */
const SHORT_PART_LIMIT = 31_000;
const LIST_LIMIT = 3_000;

/** The report for people and agents: verdict, failures, diagnosis and commands first, then the long context, folded. */
export function renderMarkdown(report: Report): string {
  const failed = report.results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  const flaky = report.results.filter(({ outcome }) => outcome === 'flaky');
  const passed = report.results.filter(({ outcome }) => outcome === 'passed' || outcome === 'flaky');
  const known = report.results.filter(({ outcome }) => outcome === 'known-issue');
  const skipped = report.results.filter(({ outcome }) => outcome === 'skipped');

  const head = blocks(renderHead(report), renderSummary(report));
  const advice = blocks(renderRecommendations(report), renderQuickFixes(report));
  const issues = renderKnownIssues(known);
  const room = SHORT_PART_LIMIT - head.length - issues.length - renderAnalyst(report).length - advice.length;
  const title =
    report.summary.failed > 0 ? '## 🔴 Failed Tests' : '## 💥 Tests that could not be carried out';
  const failures = renderWithin(failed, { title, render: renderFailedTest, room });
  const unsteady = renderWithin(flaky, {
    title: '## 🔁 Flaky Tests',
    render: renderFlakyTest,
    room: room - failures.short.length,
  });

  return `${blocks(
    head,
    failures.short,
    unsteady.short,
    issues,
    renderAnalyst(report),
    advice,
    '---',
    failures.rest,
    unsteady.rest,
    renderRationalizations(report),
    renderLoopholes(report),
    renderFailedContext(failed),
    renderPassedTests(passed),
    renderSkippedTests(skipped),
    renderProofSection(report),
    renderHistory(report),
    renderEnvironment(report),
    renderArtifacts(report),
  )}\n`;
}

interface Room {
  readonly title: string;
  readonly render: (result: ReportResult) => string;
  /** How many characters of the short part are left for these. */
  readonly room: number;
}

/** As many tests as fit are told in the short part, the others are listed there and told further below. */
function renderWithin(results: readonly ReportResult[], { title, render, room }: Room) {
  if (results.length === 0) return { short: '', rest: '' };
  const pages = results.map(render);
  let used = LIST_LIMIT;
  const overflow = pages.findIndex((page) => {
    used += page.length + 2;
    return used > room;
  });
  const told = overflow === -1 ? pages.length : overflow;
  const others = fitItems(results.slice(told).map(renderFailedLine), {
    limit: Math.min(LIST_LIMIT, room) - 400,
    separator: '\n',
    more: (left) => `- ${left} more`,
  });
  return {
    short: blocks(
      title,
      ...pages.slice(0, told),
      others === '' ? '' : blocks(`Told further below, under "${withoutMarks(title)}, continued":`, others),
    ),
    rest: told === pages.length ? '' : blocks(`${title}, continued`, ...pages.slice(told)),
  };
}

function withoutMarks(title: string): string {
  return title.replace(/^[^A-Z]*/, '');
}

function renderFailedContext(results: readonly ReportResult[]): string {
  if (results.length === 0) return '';
  return blocks(
    results.some(({ outcome }) => outcome === 'failed')
      ? '## 📚 Context of Failed Tests'
      : '## 📚 Context of these Tests',
    ...results.map((result) =>
      details(
        `📚 Context of ${testLabel(result.scenario_id, result.backend)}`,
        renderContext(result, FAILED_LIMITS),
      ),
    ),
  );
}
