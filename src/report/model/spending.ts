import type { JournalEvent } from '../../domain/journal.js';
import { addSpending, type Spending } from '../../domain/money/spending.js';
import type { Report, ReportResult } from '../../domain/report/report.js';

/** Sums up what all attempts and the analysis cost, next to what was estimated and allowed. Null in the offline lanes. */
export function describeSpending(
  events: readonly JournalEvent[],
  results: readonly Pick<ReportResult, 'skip_cause'>[],
): Report['spending'] {
  const started = events.find((event) => event.type === 'run-started');
  const budget = started?.budget;
  if (budget === undefined) return null;
  const analysis = events.findLast((event) => event.type === 'analysis-finished')?.spending;
  const attempts = events.flatMap((event) =>
    (event.type === 'attempt-finished' || event.type === 'gate-probed') && event.spending
      ? [event.spending]
      : [],
  );
  const cutOff = started?.merged?.flatMap((shard) => shard.cutOff ?? []) ?? [];
  const { unpriced, ...estimate } = budget.estimate;
  return {
    ...rename(addSpending([...attempts, ...cutOff, ...(analysis ? [analysis] : [])])),
    analysis_usd: analysis?.usd ?? 0,
    max_usd: budget.maxUsd,
    not_run: results.filter(({ skip_cause }) => skip_cause?.kind === 'budget-reached').length,
    estimate: { ...estimate, unpriced_backends: unpriced },
  };
}

/** Sums up what the attempts of one test cost; null if nobody counted. */
export function sumAttempts(
  attempts: readonly { readonly spending?: Spending | undefined }[],
): ReportResult['spending'] {
  const known = attempts.flatMap(({ spending }) => spending ?? []);
  return known.length === 0 ? null : rename(addSpending(known));
}

function rename({ calls, tokens, usd, estimatedUsd }: Spending) {
  return { calls, tokens, cost_usd: usd, estimated_usd: estimatedUsd };
}
