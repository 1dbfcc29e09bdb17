import type { PassedAnalysis, QualityScore } from '../../domain/report/analysis.js';
import { ENOUGH_PASSES, type Metric, type MetricComparison } from '../../domain/report/expectation.js';
import type { ReportResult } from '../../domain/report/result.js';
import {
  bulleted,
  cut,
  type Item,
  inCode,
  namedList,
  own,
  paragraph,
  quiet,
  type ReportBlock,
  strong,
  table,
  words,
} from '../content/content.js';
import { spellOut } from '../words/outcomes.js';
import { countOf, endSentence, formatDuration, formatNumber, formatUsd } from '../words/words.js';

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
    paragraph(words`${own(QUALITY_MARKS[quality_score])} ${strong(own(quality_score))}`),
    ...table(
      ['Metric', 'Measured', 'Expected', 'Status'],
      metrics.against_expected.map((comparison) => describeMetric(comparison, isConversation).map(own)),
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
    ...bulleted(
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

const WORDS = {
  duration_seconds: { name: 'Duration', spell: formatDuration },
  iterations_used: { name: 'Iterations', spell: formatNumber },
  events_emitted: { name: 'Events emitted', spell: formatNumber },
  tool_calls: { name: 'Tool calls', spell: formatNumber },
  tokens_estimated: { name: 'Tokens', spell: formatNumber },
  cost_usd: { name: 'Cost', spell: formatUsd },
  retries_needed: { name: 'Retries', spell: formatNumber },
} as const satisfies Record<Metric, { readonly name: string; readonly spell: (value: number) => string }>;

/** Describes a metric: its name, the value, what was expected and why, and how they compare. */
function describeMetric(comparison: MetricComparison, isConversation: boolean): string[] {
  const { metric, actual, status } = comparison;
  const { name, spell } = WORDS[metric];
  return [
    // The iterations of a conversation are its turns.
    isConversation && metric === 'iterations_used' ? 'Turns' : name,
    actual === null ? 'not measured' : spell(actual),
    describeExpected(comparison, spell),
    METRIC_MARKS[status],
  ];
}

function describeExpected(
  { expected, at_most, basis, earlier_passes, status }: MetricComparison,
  spell: (value: number) => string,
): string {
  if (status === 'not-measured') return '-';
  if (expected === null || at_most === null)
    return `no expectation yet (${earlier_passes} of ${ENOUGH_PASSES} earlier passes)`;
  if (basis !== 'history') return spell(expected);
  return `usually ${spell(expected)}, up to ${spell(at_most)} in view of ${countOf(earlier_passes, 'pass', 'passes')}`;
}
