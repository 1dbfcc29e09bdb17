import type { PassedAnalysis, QualityScore } from '../../domain/report/analysis.js';
import type { MetricComparison } from '../../domain/report/expectation.js';
import type { ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import type { Pieces } from '../text/pieces.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { describeMetric } from '../words/metric-words.js';
import { backendName, formatDuration } from '../words/words.js';
import { PASSED_LIMITS, renderContext } from './context.js';
import { wordsOf } from './failed.js';
import { blocks, details, headAndTail, table } from './parts.js';

const QUALITY_MARKS = {
  Optimal: '🟢',
  Good: '🟡',
  Acceptable: '🟠',
  Suboptimal: '🔴',
} as const satisfies Record<QualityScore, string>;
const SCORES = ['Optimal', 'Good', 'Acceptable', 'Suboptimal'] as const satisfies readonly QualityScore[];

/** Renders passed tests, those with room for improvement first, each with its full context. */
export function* renderPassedTests(results: readonly ReportResult[]): Pieces {
  if (results.length === 0) return;
  const optimal = results.filter(isOptimal);
  const others = results.filter((result) => !isOptimal(result)).toSorted((a, b) => rankOf(b) - rankOf(a));
  yield `## ✅ Passed Tests (${results.length})`;
  yield renderQuality(results);
  for (const result of others) yield renderPassedTest(result);
  yield* renderOptimal(optimal);
}

function isOptimal({ analysis }: ReportResult): boolean {
  return (analysis?.quality_score ?? 'Optimal') === 'Optimal';
}

function rankOf({ analysis }: ReportResult): number {
  return analysis ? SCORES.indexOf(analysis.quality_score) : 0;
}

function renderQuality(results: readonly ReportResult[]): string {
  if (results.every(({ analysis }) => analysis === null)) return '';
  const rows = SCORES.map((score) => {
    const having = results.filter(({ analysis }) => analysis?.quality_score === score);
    const { kept, left } = headAndTail(having, 12);
    const names = kept.map(({ scenario_id, backend }) => inlineText(testLabel(scenario_id, backend), 80));
    const more = left > 0 ? [`${left} more`] : [];
    return [`${QUALITY_MARKS[score]} ${score}`, String(having.length), [...names, ...more].join(', ') || '-'];
  });
  return blocks('### Summary by Quality', table(['Quality', 'Count', 'Tests'], rows));
}

function renderPassedTest(result: ReportResult): string {
  const { analysis, backend, scenario_id, outcome } = result;
  if (!analysis) return '';
  const score = analysis.quality_score;
  return blocks(
    `### ${QUALITY_MARKS[score]} ${codeSpan(scenario_id, 80)} on ${backendName(backend)} (${score}${outcome === 'flaky' ? ', flaky' : ''})`,
    renderFacts(result),
    renderMetrics(analysis),
    analysis.warnings.length === 0
      ? ''
      : blocks('#### ⚠️ Warnings', analysis.warnings.map(renderWarning).join('\n')),
    analysis.optimizations.length === 0
      ? ''
      : blocks('#### 💡 Optimizations', analysis.optimizations.map(renderOptimization).join('\n')),
    details('📋 Full Context', blocks(renderHeld(result), renderContext(result, PASSED_LIMITS))),
  );
}

function renderFacts({ scenario_description, tier, duration_seconds, covers }: ReportResult): string {
  return [
    `- **Description:** ${inlineText(scenario_description, 300)}`,
    `- **Tier:** ${inlineText(tier, 60)}`,
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

function renderMetrics({ metrics }: PassedAnalysis): string {
  const rows = metrics.against_expected
    .map(describeMetric)
    .map(({ name, actual, expected, status }) => [name, actual, expected, METRIC_MARKS[status]]);
  return blocks('#### Metrics', table(['Metric', 'Actual', 'Expected', 'Status'], rows));
}

function* renderOptimal(results: readonly ReportResult[]): Pieces {
  if (results.length === 0) return;
  const rows = results.map(({ scenario_id, backend, duration_seconds, context, assertions }) => [
    codeSpan(scenario_id, 80),
    backendName(backend),
    formatDuration(duration_seconds),
    String(context?.iterations_completed ?? '-'),
    `${assertions.length} assertions held`,
  ]);
  yield `### 🟢 Optimal Tests (${results.length})`;
  yield table(['Test', 'Backend', 'Duration', 'Iterations', 'Notes'], rows);
  for (const result of results) {
    yield details(
      `📋 Full context of ${testLabel(result.scenario_id, result.backend)}`,
      blocks(
        renderFacts(result),
        renderHeld(result),
        result.analysis ? renderMetrics(result.analysis) : '',
        renderContext(result, PASSED_LIMITS),
      ),
    );
  }
}
