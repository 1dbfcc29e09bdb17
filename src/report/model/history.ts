import { FORMATS } from '../../domain/common/formats.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { PassedAnalysis } from '../../domain/report/analysis.js';
import { type Measured, measuredSchema } from '../../domain/report/expectation.js';
import type { HistoryEntry, RunSummary, Spent } from '../../domain/report/history.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { countFlips } from '../../domain/results/repeats.js';

/** Lists the comparable runs, oldest first, with this run at the end. */
export function describeHistory(
  events: readonly JournalEvent[],
  run: Omit<Report, 'history'>,
): HistoryEntry[] {
  const known = events.findLast((event) => event.type === 'history-known');
  return [...(known?.runs ?? []), describeRun(run)];
}

function describeRun(run: Omit<Report, 'history'>): HistoryEntry {
  const { run_id, timestamp, ralph_version, passed, summary, duration_seconds, spending } = run;
  const passed_tests = summary.passed + summary.flaky;
  const total = summary.total - summary.known_issues;
  return {
    ...{ run_id, timestamp, ralph_version, passed, total, passed_tests },
    pass_rate: total === 0 ? null : passed_tests / total,
    duration_seconds,
    cost_usd: spending?.cost_usd ?? null,
  };
}

/** Summarizes this run for later ones. */
export function summarizeRun(report: Report): RunSummary | null {
  const entry = report.history.at(-1);
  if (entry === undefined) return null;
  return {
    format: FORMATS.summary.format,
    ...entry,
    lane: report.lane,
    target_kind: report.target.kind,
    verdict: report.verdict,
    ...(report.target.sha256 === undefined ? {} : { ralph_sha256: report.target.sha256 }),
    ...(report.shards === null ? {} : { merged_from: report.shards.map(({ run_id }) => run_id) }),
    tests: report.results.map((result) => ({
      scenario_id: result.scenario_id,
      backend: result.backend,
      outcome: result.outcome,
      duration_seconds: result.repeats?.spread.seconds?.median ?? result.duration_seconds,
      counts: countAttempts(result),
      ...(result.outcome === 'passed' && result.analysis
        ? { measured: measure(result, result.analysis.metrics) }
        : {}),
      ...(result.spending === null ? {} : { spent: describeSpent(result, result.spending) }),
    })),
  };
}

/** Measures this pass for later expectations. A pass that needed a retry does not count. */
function measure({ context }: ReportResult, { against_expected }: PassedAnalysis['metrics']): Measured {
  const values = against_expected
    .filter(({ metric }) => metric !== 'retries_needed')
    .map(({ metric, actual }) => [metric, actual]);
  return measuredSchema.parse({ model: context?.usage?.model ?? null, values: Object.fromEntries(values) });
}

/** Counts the attempts that say something about the test. */
function countAttempts({ attempts, repeats }: ReportResult): RunSummary['tests'][number]['counts'] {
  if (repeats !== null) return { counted: repeats.counted, passed: repeats.passed, flips: repeats.flips };
  const counted = attempts.filter(
    ({ outcome, fault }) => outcome !== 'error' && fault?.whose !== 'infrastructure',
  );
  return {
    counted: counted.length,
    passed: counted.filter(({ outcome }) => outcome === 'passed').length,
    flips: countFlips(counted),
  };
}

/** What one repeat took on average: later runs estimate from it. */
function describeSpent(
  { context, attempts, repeats }: ReportResult,
  spending: NonNullable<ReportResult['spending']>,
): Spent {
  const share = 1 / Math.max(1, repeats?.ran ?? 1);
  return {
    model: context?.usage?.model ?? null,
    calls: spending.calls * share,
    tokens: spending.tokens === null ? null : spending.tokens * share,
    usd: spending.cost_usd * share,
    seconds: attempts.reduce((sum, { duration_seconds }) => sum + duration_seconds, 0) * share,
  };
}
