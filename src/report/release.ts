import { involvesRalph } from '../domain/attempt.js';
import { groupBy } from '../domain/common/group-by.js';
import type { Report, ReportResult } from '../domain/report/report.js';
import type { Pieces } from './text/pieces.js';
import { codeSpan, inlineText } from './text/safe-text.js';
import { summarizeCost } from './words/money-words.js';
import { backendName, countOf, formatDuration } from './words/words.js';

const MOST_ISSUES = 6;

/** Renders what release notes say about a run, in at most 15 lines. */
export function* renderRelease(report: Report): Pieces {
  const { target, backends_tested, summary, spending, lane } = report;
  const ralph =
    target.kind === 'real'
      ? `ralph ${inlineText(target.version, 60)}${target.sha256 === undefined ? '' : ` (SHA-256 ${codeSpan(target.sha256)})`}`
      : `the stand-in for ralph ${inlineText(target.version, 60)}: Ralph itself was not tested`;
  const backends = backends_tested
    .filter(({ available }) => available)
    .slice(0, 8)
    .map(
      ({ backend, version }) => `${backendName(backend)} ${inlineText(version ?? '(version unknown)', 80)}`,
    );
  const lines = [
    `**Tested with ralph-e2e ${inlineText(report.harness_version, 40)}:** ${inlineText(report.verdict, 300)}`,
    '',
    ...(involvesRalph(target) ? [`- Ralph: ${ralph}`] : []),
    `- Agent CLIs: ${backends.join(', ') || 'none'} (${lane} lane)`,
    `- Tests: ${summary.passed + summary.flaky} passed, ${summary.failed} failed, ${countOf(summary.errors, 'error')}, ${summary.skipped} skipped, in ${formatDuration(report.duration_seconds)}`,
    ...(report.causes.length === 0 ? [] : [`- Failures: ${countOf(report.causes.length, 'cause')}`]),
    ...(spending === null ? [] : [`- Cost: ${summarizeCost(spending)}`]),
    ...renderKnown(report.results.filter(({ outcome }) => outcome === 'known-issue')),
  ];
  yield `${lines.join('\n')}\n`;
}

/** Renders each known issue once, with the number of scenarios that it breaks. */
function renderKnown(results: readonly ReportResult[]): string[] {
  if (results.length === 0) return [];
  const issues = [...groupBy(results, ({ known_issue }) => known_issue?.reason ?? '')];
  const left = issues.length - MOST_ISSUES;
  return [
    `- Known issues of this version: ${issues.length}`,
    ...issues.slice(0, MOST_ISSUES).map(([reason, same]) => {
      const scenarios = new Set(same.map(({ scenario_id }) => scenario_id)).size;
      return `  - ${inlineText(reason, 160)}${scenarios > 1 ? ` (${scenarios} scenarios)` : ''}`;
    }),
    ...(left > 0 ? [`  - ${left} more`] : []),
  ];
}
