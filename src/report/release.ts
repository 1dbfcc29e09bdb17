import { involvesRalph } from '../domain/attempt.js';
import type { Report, ReportResult } from '../domain/report/report.js';
import type { Pieces } from './text/pieces.js';
import { codeSpan, inlineText } from './text/safe-text.js';
import { summarizeCost } from './words/money-words.js';
import { backendName, countOf, formatDuration } from './words/words.js';

const MOST_ISSUES = 6;

/** Renders what release notes say about a run, in at most 15 lines. */
export function* renderRelease(report: Report): Pieces {
  const { target, backends_tested, summary, spending, lane } = report;
  const known = new Map(
    report.results
      .filter(({ outcome }) => outcome === 'known-issue')
      .map((result) => [result.scenario_id, result]),
  );
  const ralph =
    target.kind === 'real'
      ? `ralph ${inlineText(target.version, 60)}${target.sha256 === undefined ? '' : ` (SHA-256 ${codeSpan(target.sha256)})`}`
      : `the stand-in for ralph ${inlineText(target.version, 60)}: Ralph itself was not tested`;
  const backends = backends_tested
    .filter(({ available }) => available)
    .slice(0, 8)
    .map(
      ({ backend, version }) => `${backendName(backend)} ${inlineText(version ?? '(version unknown)', 40)}`,
    );
  const lines = [
    `**Tested with ralph-e2e ${inlineText(report.harness_version, 40)}:** ${inlineText(report.verdict, 300)}`,
    '',
    ...(involvesRalph(target) ? [`- Ralph: ${ralph}`] : []),
    `- Agent CLIs: ${backends.join(', ') || 'none'} (${lane} lane)`,
    `- Tests: ${summary.passed + summary.flaky} passed, ${summary.failed} failed, ${countOf(summary.errors, 'error')}, ${summary.skipped} skipped, in ${formatDuration(report.duration_seconds)}`,
    ...(report.causes.length === 0 ? [] : [`- Failures: ${countOf(report.causes.length, 'cause')}`]),
    ...(spending === null ? [] : [`- Cost: ${summarizeCost(spending)}`]),
    ...renderKnown([...known.values()]),
  ];
  yield `${lines.join('\n')}\n`;
}

function renderKnown(issues: readonly ReportResult[]): string[] {
  if (issues.length === 0) return [];
  const shown = issues.slice(0, MOST_ISSUES);
  const left = issues.length - shown.length;
  return [
    `- Known issues of this version: ${issues.length}`,
    ...shown.map(({ known_issue }) => `  - ${inlineText(known_issue?.reason ?? '', 160)}`),
    ...(left > 0 ? [`  - ${left} more`] : []),
  ];
}
