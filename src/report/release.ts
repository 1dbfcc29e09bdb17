import { involvesRalph } from '../domain/attempt.js';
import { groupBy } from '../domain/common/group-by.js';
import type { Report } from '../domain/report/report.js';
import type { ReportResult } from '../domain/report/result.js';
import { countCauses } from './sections/causes.js';
import type { Pieces } from './text/pieces.js';
import { codeSpan, inlineText } from './text/safe-text.js';
import { backendName, countOf, formatDuration, summarizeCost } from './words/words.js';

/** Causes and known issues, in the lines that are left. */
const MOST_CAUSES = 3;
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
  const causes = renderCauses(report);
  const lines = [
    `**Tested with ralph-e2e ${inlineText(report.harness_version, 40)}:** ${inlineText(report.verdict, 300)}`,
    '',
    ...(involvesRalph(target) ? [`- Ralph: ${ralph}`] : []),
    `- Agent CLIs: ${backends.join(', ') || 'none'} (${lane} lane)`,
    `- Tests: ${summary.passed + summary.flaky} passed, ${summary.failed} failed, ${countOf(summary.errors, 'error')}, ${summary.skipped} skipped, in ${formatDuration(report.duration_seconds)}`,
    ...causes,
    ...(spending === null ? [] : [`- Cost: ${summarizeCost(spending)}`]),
    ...renderKnown(
      report.results.filter(({ outcome }) => outcome === 'known-issue'),
      MOST_ISSUES - Math.max(0, causes.length - 1),
    ),
  ];
  yield `${lines.join('\n')}\n`;
}

function renderCauses({ causes }: Report): string[] {
  if (causes.length === 0) return [];
  return [
    `- Failures: ${countCauses(causes)}`,
    ...causes
      .slice(0, MOST_CAUSES)
      .map(({ tests, hypothesis }) => `  - ${countOf(tests.length, 'test')}: ${inlineText(hypothesis, 240)}`),
  ];
}

/** Renders each known issue once, with the number of scenarios that it breaks. */
function renderKnown(results: readonly ReportResult[], most: number): string[] {
  if (results.length === 0) return [];
  const issues = [...groupBy(results, ({ known_issue }) => known_issue?.reason ?? '')];
  const left = issues.length - most;
  return [
    `- Known issues of this version: ${countOf(results.length, 'test')} with ${countOf(issues.length, 'known issue')}`,
    ...issues.slice(0, most).map(([reason, same]) => {
      const scenarios = new Set(same.map(({ scenario_id }) => scenario_id)).size;
      return `  - ${inlineText(reason, 160)}${scenarios > 1 ? ` (${scenarios} scenarios)` : ''}`;
    }),
    ...(left > 0 ? [`  - ${left} more`] : []),
  ];
}
