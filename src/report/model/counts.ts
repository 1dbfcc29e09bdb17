import type { Counts, Report, ReportResult } from '../../domain/report/report.js';

/** Counts results. `total` is what ran; skipped ones are counted separately. */
export function countOutcomes(results: readonly ReportResult[]): Counts {
  const having = (outcome: ReportResult['outcome']) => results.filter((r) => r.outcome === outcome).length;
  const skipped = having('skipped');
  return {
    total: results.length - skipped,
    passed: having('passed'),
    failed: having('failed'),
    inconclusive: results.filter(({ inconclusive }) => inconclusive).length,
    skipped,
    errors: having('error'),
    flaky: having('flaky'),
    known_issues: having('known-issue'),
  };
}

/** Counts results per planned tier. */
export function countByTier(results: readonly ReportResult[]): Record<string, Counts> {
  return countBy(results, ({ tier }) => tier);
}

/** Counts results per backend. */
export function countByBackend(results: readonly ReportResult[]): Record<string, Counts> {
  return countBy(results, ({ backend }) => backend);
}

function countBy(
  results: readonly ReportResult[],
  keyOf: (result: ReportResult) => string,
): Record<string, Counts> {
  const keys = [...new Set(results.map(keyOf))].sort();
  return Object.fromEntries(
    keys.map((key) => [key, countOutcomes(results.filter((result) => keyOf(result) === key))]),
  );
}

/** Counts passed tests per quality. */
export function countQuality(results: readonly ReportResult[]): Report['summary']['quality_breakdown'] {
  const having = (score: string) => results.filter((r) => r.analysis?.quality_score === score).length;
  return {
    optimal: having('Optimal'),
    good: having('Good'),
    acceptable: having('Acceptable'),
    suboptimal: having('Suboptimal'),
  };
}
