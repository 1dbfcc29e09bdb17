import type { PassedAnalysis, QualityScore } from '../../domain/report/analysis.js';
import type { MetricComparison } from '../../domain/report/expectation.js';
import { TEST_PAGES } from '../../domain/report/failure-pages.js';
import type { ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { describeMetric } from '../words/metric-words.js';
import { countOf, formatDuration } from '../words/words.js';
import { pageLink, wordsOf } from './failed.js';
import { blocks, fitItems, headAndTail, sizeOf, table } from './parts.js';

const QUALITY_MARKS = {
  Optimal: '🟢',
  Good: '🟡',
  Acceptable: '🟠',
  Suboptimal: '🔴',
} as const satisfies Record<QualityScore, string>;
const SCORES = ['Optimal', 'Good', 'Acceptable', 'Suboptimal'] as const satisfies readonly QualityScore[];

/** Renders passed tests by quality, and those that could be better; each has a page with everything about it. */
export function renderPassedTests(results: readonly ReportResult[], room: number): string {
  if (results.length === 0) return '';
  const others = results.filter((result) => rankOf(result) > 0).toSorted((a, b) => rankOf(b) - rankOf(a));
  const head = blocks(
    `## ✅ Passed Tests (${results.length})`,
    `\`${TEST_PAGES}/\` has a page for each of them.`,
    renderQuality(results),
  );
  return blocks(
    head,
    fitItems(others.map(renderPassedTest), {
      limit: room - sizeOf(head) - 200,
      separator: '\n\n',
      more: (left) => `${countOf(left, 'more test')} could be better: see report.json.`,
    }),
  );
}

/** Renders how a test passed. */
export function renderPass(result: ReportResult): string {
  return blocks(
    renderFacts(result),
    result.analysis && scoreOf(result) !== null ? renderJudgment(result.analysis, result) : '',
    result.assertions.length === 0 ? '' : blocks('#### Assertions', renderHeld(result)),
  );
}

function scoreOf({ analysis }: ReportResult): QualityScore | null {
  return analysis?.quality_score ?? null;
}

function rankOf(result: ReportResult): number {
  return SCORES.indexOf(scoreOf(result) ?? 'Optimal');
}

function renderQuality(results: readonly ReportResult[]): string {
  if (results.every((result) => scoreOf(result) === null)) return '';
  const rows = SCORES.map((score) => {
    const having = results.filter((result) => scoreOf(result) === score);
    const { kept, left } = headAndTail(having, 8);
    const names = kept.map(({ scenario_id, backend }) => inlineText(testLabel(scenario_id, backend), 80));
    const more = left > 0 ? [`${left} more`] : [];
    return [`${QUALITY_MARKS[score]} ${score}`, String(having.length), [...names, ...more].join(', ') || '-'];
  });
  return blocks('### Summary by Quality', table(['Quality', 'Count', 'Tests'], rows));
}

function renderPassedTest(result: ReportResult): string {
  const { analysis, outcome } = result;
  const score = scoreOf(result);
  if (!analysis || score === null) return '';
  return blocks(
    `### ${QUALITY_MARKS[score]} ${pageLink(result)} (${score}${outcome === 'flaky' ? ', flaky' : ''})`,
    renderJudgment(analysis, result),
  );
}

function renderJudgment(analysis: PassedAnalysis, { context }: ReportResult): string {
  return blocks(
    renderMetrics(analysis, context?.conversation !== undefined),
    analysis.warnings.length === 0
      ? ''
      : blocks('#### ⚠️ Warnings', analysis.warnings.map(renderWarning).join('\n')),
    analysis.optimizations.length === 0
      ? ''
      : blocks('#### 💡 Optimizations', analysis.optimizations.map(renderOptimization).join('\n')),
  );
}

function renderFacts({ scenario_description, tier, placed, duration_seconds, covers }: ReportResult): string {
  return [
    `- **Description:** ${inlineText(scenario_description, 300)}`,
    ...(placed ? [`- **Tier:** ${inlineText(tier, 60)}`] : []),
    `- **Duration:** ${formatDuration(duration_seconds)}`,
    ...(covers.length > 0 ? [`- **Covers:** ${inlineText(covers.join(', '), 200)}`] : []),
  ].join('\n');
}

function renderHeld({ assertions }: ReportResult): string {
  return assertions.map(({ name }) => `- ✅ ${inlineText(name, 160)}`).join('\n');
}

function renderWarning({ category, message, evidence }: PassedAnalysis['warnings'][number], index: number) {
  return `${index + 1}. **${wordsOf(category)}**: ${inlineText(message, 300)}\n   - Evidence: ${codeSpan(evidence, 320)}`;
}

function renderOptimization(item: PassedAnalysis['optimizations'][number], index: number): string {
  return [
    `${index + 1}. **${inlineText(item.category, 80)}**: ${inlineText(item.description, 300)}`,
    `   - Potential improvement: ${inlineText(item.potential_improvement, 300)}`,
    ...(item.suggested_change === null ? [] : [`   - Suggested: ${inlineText(item.suggested_change, 300)}`]),
  ].join('\n');
}

const METRIC_MARKS = {
  'as-expected': '✅',
  above: '⚠️ Above',
  'no-expectation': 'ℹ️',
  'not-measured': 'ℹ️',
} as const satisfies Record<MetricComparison['status'], string>;

function renderMetrics({ metrics }: PassedAnalysis, isConversation: boolean): string {
  const rows = metrics.against_expected
    .map((comparison) => describeMetric(comparison, { isConversation }))
    .map(({ name, actual, expected, status }) => [name, actual, expected, METRIC_MARKS[status]]);
  return blocks('#### Metrics', table(['Metric', 'Actual', 'Expected', 'Status'], rows));
}
