import type { JournalEvent } from '../../domain/journal.js';
import { addSpending, listSpending, type Spending } from '../../domain/money/spending.js';
import type { Report, ReportResult } from '../../domain/report/report.js';

/** Sums up what everything that ran cost, next to what was estimated and allowed. Null in the offline lanes. */
export function describeSpending(
  events: readonly JournalEvent[],
  results: readonly Pick<ReportResult, 'skip_cause'>[],
): Report['spending'] {
  const started = events.find((event) => event.type === 'run-started');
  const budget = started?.budget;
  if (budget === undefined) return null;
  const analyses = events.filter(({ type }) => type === 'analysis-finished');
  const cutOff = started?.merged?.flatMap((shard) => shard.cutOff ?? []) ?? [];
  const { unpriced, ...estimate } = budget.estimate;
  return {
    ...rename(addSpending([...listSpending(events), ...cutOff])),
    analysis_usd: addSpending(listSpending(analyses)).usd,
    max_usd: budget.maxUsd,
    not_run: results.filter(({ skip_cause }) => skip_cause?.kind === 'budget-reached').length,
    estimate: { ...estimate, unpriced_backends: unpriced },
  };
}

/** Sums up what the attempts of one test cost; null if nobody counted. */
export function sumAttempts(attempts: Parameters<typeof listSpending>[0]): ReportResult['spending'] {
  const known = listSpending(attempts);
  return known.length === 0 ? null : rename(addSpending(known));
}

function rename({ calls, tokens, usd, estimatedUsd }: Spending) {
  return { calls, tokens, cost_usd: usd, estimated_usd: estimatedUsd };
}
