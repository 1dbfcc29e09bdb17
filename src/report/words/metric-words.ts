import { ENOUGH_PASSES, type Metric, type MetricComparison } from '../../domain/report/expectation.js';
import { countOf, formatDuration, formatNumber } from './words.js';

/** A metric of a test that passed, in words. */
export interface MetricWords {
  readonly name: string;
  readonly actual: string;
  /** The expected value, and its source. */
  readonly expected: string;
  readonly status: MetricComparison['status'];
}

const WORDS = {
  duration_seconds: { name: 'Duration', spell: formatDuration },
  iterations_used: { name: 'Iterations', spell: formatNumber },
  events_emitted: { name: 'Events emitted', spell: formatNumber },
  tool_calls: { name: 'Tool calls', spell: formatNumber },
  tokens_estimated: { name: 'Tokens', spell: formatNumber },
  cost_usd: { name: 'Cost', spell: (usd) => `$${usd.toFixed(4)}` },
  retries_needed: { name: 'Retries', spell: formatNumber },
} as const satisfies Record<Metric, { readonly name: string; readonly spell: (value: number) => string }>;

/** Describes a metric for reports. The iterations of a conversation are its turns. */
export function describeMetric(
  comparison: MetricComparison,
  { isConversation }: { readonly isConversation: boolean },
): MetricWords {
  const { metric, actual, expected, at_most, basis, earlier_passes, status } = comparison;
  const { name: usual, spell } = WORDS[metric];
  const name = isConversation && metric === 'iterations_used' ? 'Turns' : usual;
  const words = { name, actual: actual === null ? 'not measured' : spell(actual), status };
  if (status === 'not-measured') return { ...words, expected: '-' };
  if (expected === null || at_most === null)
    return {
      ...words,
      expected: `no expectation yet (${earlier_passes} of ${ENOUGH_PASSES} earlier passes)`,
    };
  if (basis !== 'history') return { ...words, expected: spell(expected) };
  const rest = `up to ${spell(at_most)} in view of ${countOf(earlier_passes, 'pass', 'passes')}`;
  return { ...words, expected: `usually ${spell(expected)}, ${rest}` };
}
