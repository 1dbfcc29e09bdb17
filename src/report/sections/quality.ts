import type { PassedAnalysis, QualityScore } from '../../domain/report/analysis.js';
import type { MetricComparison } from '../../domain/report/expectation.js';
import type { ReportResult } from '../../domain/report/report.js';
import type { Item, ReportBlock } from '../content/content.js';
import { cut, heading, inCode, namedList, own, quiet, strong, table, words } from '../content/content.js';
import { describeMetric } from '../words/metric-words.js';
import { spellOut } from '../words/outcome-words.js';
import { endSentence } from '../words/words.js';

export const SCORES = [
  'Optimal',
  'Good',
  'Acceptable',
  'Suboptimal',
] as const satisfies readonly QualityScore[];

export const QUALITY_MARKS = {
  Optimal: '🟢',
  Good: '🟡',
  Acceptable: '🟠',
  Suboptimal: '🔴',
} as const satisfies Record<QualityScore, string>;

const METRIC_MARKS = {
  'as-expected': '✅',
  above: '⚠️ Above',
  'no-expectation': 'ℹ️',
  'not-measured': 'ℹ️',
} as const satisfies Record<MetricComparison['status'], string>;

/** Says how well a test passed; nothing if nobody judged it. */
export function qualityBlocks({ analysis, context }: ReportResult, rows: number): ReportBlock[] {
  if (analysis === null || analysis.quality_score === null) return [];
  const isConversation = context?.conversation !== undefined;
  const { quality_score, metrics, warnings, optimizations } = analysis;
  return [
    heading(4, own(`${QUALITY_MARKS[quality_score]} Quality: ${quality_score}`)),
    ...table(
      ['Metric', 'Measured', 'Expected', 'Status'],
      metrics.against_expected
        .map((comparison) => describeMetric(comparison, { isConversation }))
        .map(({ name, actual, expected, status }) => [name, actual, expected, METRIC_MARKS[status]].map(own)),
    ),
    ...namedList('Warnings', warnings.slice(0, rows).map(describeWarning), { isNumbered: true }),
    ...namedList('Optimizations', optimizations.slice(0, rows).map(describeOptimization), {
      isNumbered: true,
    }),
  ];
}

function describeWarning({ category, message, evidence }: PassedAnalysis['warnings'][number]): Item {
  return {
    line: words`${strong(own(spellOut(category)))}: ${cut(message, 300)}`,
    below: [words`Evidence: ${inCode(evidence, 320)}`],
  };
}

function describeOptimization(item: PassedAnalysis['optimizations'][number]): Item {
  return {
    line: words`${strong(cut(item.category, 80))}: ${cut(item.description, 300)}`,
    below: [
      words`Potential improvement: ${cut(item.potential_improvement, 300)}`,
      ...(item.suggested_change === null ? [] : [words`Suggested: ${cut(item.suggested_change, 300)}`]),
    ],
  };
}

/** Says what the scenario makes hard on purpose, and how well the run coped. */
export function pressureBlocks(
  { pressure_factors, quality_criteria }: ReportResult,
  rows: number,
): ReportBlock[] {
  return [
    ...namedList(
      'Under pressure',
      pressure_factors
        .slice(0, rows)
        .map(
          ({ name, description, why_pressure }) =>
            words`${strong(cut(name, 80))}: ${cut(endSentence(description), 300)} ${quiet(cut(why_pressure, 300))}`,
        ),
    ),
    ...namedList(
      'Quality criteria',
      quality_criteria
        .slice(0, rows)
        .map(
          (criterion) =>
            words`${own(criterion.grade)}: ${strong(cut(criterion.name, 120))}: ${quiet(cut(criterion[criterion.grade], 200))}`,
        ),
    ),
  ];
}
