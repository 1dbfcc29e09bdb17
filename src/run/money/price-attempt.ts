import type { Evidence } from '../../domain/evidence/evidence.js';
import { NOTHING_SPENT, type Spending } from '../../domain/money/spending.js';
import type { BackendId } from '../../domain/vocabulary.js';
import { type Averages, usdPerToken } from './averages.js';

/** Prices an attempt: what the CLI reported, and an estimate for calls about which it reported nothing. */
export function priceAttempt(
  evidence: Evidence | null,
  { backend, averages, model }: { backend: BackendId; averages: Averages; model: string | null },
): Spending {
  if (evidence === null) return NOTHING_SPENT;
  const calls = evidence.iterations.length;
  const { usage } = evidence;
  const average = averages(backend, evidence.conversation === undefined ? 'iteration' : 'turn');
  const reported = usage === null ? 0 : Math.min(calls, usage.calls ?? calls);
  const silent = calls - reported;
  const tokens = usage === null ? 0 : usage.inputTokens + usage.outputTokens + (usage.cacheTokens ?? 0);
  const usd = usage?.costUsd ?? 0;
  // A CLI that counts tokens and reports no cost does not know the price of its model.
  const byTokens = usd > 0 ? 0 : tokens * usdPerToken(usage?.model ?? model);
  const estimatedUsd = byTokens + silent * (average?.usd ?? 0);
  return {
    calls,
    tokens: usage === null || reported === 0 ? null : tokens,
    usd: usd + estimatedUsd,
    estimatedUsd,
  };
}
