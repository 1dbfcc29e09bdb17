import type { Estimate } from '../../domain/money/spending.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportContext, ReportResult } from '../../domain/report/result.js';
import { countOf, formatDuration } from './words.js';

/** Words for money, so that every output says the same. */

/** Formats dollars: `$0.0042`, `$1.20`. */
export function formatUsd(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.095 ? 4 : 2)}`;
}

/** What a model used for a test; null in the offline lanes, where a CLI reports usage although no model answered. */
export function modelUsage({ spending, context }: ReportResult): NonNullable<ReportContext['usage']> | null {
  const usage = context?.usage ?? null;
  return spending === null && usage?.cost_usd === 0 ? null : usage;
}

/** Describes an estimate in one line. */
export function describeEstimate(estimate: Estimate): string {
  const { tests, calls, tokens, usd, seconds, unpriced } = estimate;
  const unknown = unpriced.length === 0 ? '' : ` (without ${unpriced.join(', ')}: price unknown)`;
  return [
    `Estimate: ${countOf(tests, 'test')}, about ${countOf(calls, 'agent call')}`,
    `${formatTokens(tokens)} tokens`,
    `${formatUsd(usd)}${unknown}`,
    `${formatMinutes(seconds)}; from ${describeBasis(estimate)}`,
  ].join(', ');
}

function describeBasis({ tests, measured }: Estimate): string {
  if (measured === 0) return 'averages, no test was measured here before';
  return measured === tests
    ? 'earlier runs in this folder'
    : `earlier runs of ${measured} of these tests, and averages`;
}

function formatTokens(tokens: number): string {
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)} thousand`;
  return `${(tokens / 1_000_000).toFixed(1)} million`;
}

function formatMinutes(seconds: number): string {
  return seconds < 60 ? formatDuration(seconds) : formatDuration(Math.ceil(seconds / 60) * 60);
}

/** Says that a limit will end the run early. */
export function describeTooMuch(maxUsd: number): string {
  return `The estimate is above --max-cost ${formatUsd(maxUsd)}: some tests will not run, and there will be no verdict.`;
}

/** Describes what was spent so far: `$1.20 of $5.00`. */
export function describeSpent(usd: number, maxUsd: number | null): string {
  return maxUsd === null ? formatUsd(usd) : `${formatUsd(usd)} of ${formatUsd(maxUsd)}`;
}

type RunSpending = NonNullable<Report['spending']>;

/** Describes what a run cost in a few words: how much, and how much of it is an estimate. */
export function summarizeCost(spending: RunSpending, models: readonly string[] = []): string {
  const { cost_usd, estimated_usd, analysis_usd, max_usd } = spending;
  const parts = [
    ...(estimated_usd > 0
      ? [`${formatUsd(estimated_usd)} of it estimated, where the CLI reported none`]
      : []),
    ...(analysis_usd > 0 ? [`${formatUsd(analysis_usd)} of it for the analysis`] : []),
    ...models,
  ];
  return `${describeSpent(cost_usd, max_usd)}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
}

/** Describes what a run cost, and what `--max-cost` did. */
export function describeCost(spending: RunSpending, models: readonly string[]): string[] {
  const { cost_usd, max_usd, not_run } = spending;
  const over = max_usd !== null && cost_usd > max_usd ? cost_usd - max_usd : 0;
  return [
    `Cost: ${summarizeCost(spending, models)}`,
    ...(over > 0 ? [`  └─ ${formatUsd(over)} more than --max-cost: what was running went on`] : []),
    ...(not_run > 0 ? [`  └─ ${describeNotRun(not_run, max_usd)}`] : []),
  ];
}

/** Describes the tests that the budget kept from running. */
export function describeNotRun(notRun: number, maxUsd: number | null): string {
  return `${countOf(notRun, 'test')} did not run: --max-cost ${formatUsd(maxUsd ?? 0)} was reached`;
}
