import { PassThrough } from 'node:stream';
import { describe, expect, it, test } from 'vitest';
import { type JournalEvent, journalEventSchema } from '../../src/domain/journal.js';
import { comparableReportSchema } from '../../src/domain/report/comparable.js';
import { compareReports } from '../../src/domain/report/compare.js';
import { needsPage, pageName } from '../../src/domain/report/failure-pages.js';
import { REPORT_FORMATS } from '../../src/domain/report/formats.js';
import type { Report } from '../../src/domain/report/report.js';
import type { ReportResult } from '../../src/domain/report/result.js';
import { analysis } from '../../src/harness/analysis.js';
import { RENDERERS } from '../../src/harness/report-files.js';
import { renderAgentPrompt, renderFailures } from '../../src/report/agent.js';
import {
  renderComparison,
  renderComparisonHtml,
  renderComparisonMarkdown,
} from '../../src/report/comparison.js';
import { renderGithubAnnotations } from '../../src/report/github.js';
import { renderJson } from '../../src/report/json.js';
import { renderFailurePage, renderTestPage } from '../../src/report/markdown/tests.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { placePaths } from '../../src/report/model/places.js';
import { renderRelease } from '../../src/report/release.js';
import { createTerminalReporter, type Verbosity } from '../../src/report/terminal/terminal.js';
import type { Pieces } from '../../src/report/text/pieces.js';
import { expectGolden } from '../support/golden.js';
import { earlierRun, mixedRun, repeatedRun } from './support/golden-run.js';

const RUNS = { mixed: mixedRun(), repeated: repeatedRun() };
const REPORTS = {
  mixed: buildReport(RUNS.mixed, analysis),
  repeated: buildReport(RUNS.repeated, analysis),
};
const NAMES = ['mixed', 'repeated'] as const;
const join = (pieces: Pieces): string => [...pieces].join('');
const golden = (name: string, text: string) =>
  expectGolden(new URL(`golden/${name}`, import.meta.url), text.endsWith('\n') ? text : `${text}\n`);

function printed(name: (typeof NAMES)[number], verbosity: Verbosity, color = false): string {
  const stream = new PassThrough();
  const reporter = createTerminalReporter({ stream, verbosity, color, now: () => 0 });
  for (const event of RUNS[name]) reporter.onEvent(event);
  reporter.finish(REPORTS[name], ['.e2e-tests/report.md', '.e2e-tests/report.json']);
  return String(stream.read());
}

it.each(NAMES)('the journal of the %s run is one that a run can write', (name) => {
  const read = (event: JournalEvent) => journalEventSchema.parse(JSON.parse(JSON.stringify(event)));
  expect(RUNS[name].map(read)).toEqual(JSON.parse(JSON.stringify(RUNS[name])));
});

it('the mixed run has every outcome of a test, and every reason not to run one', () => {
  const { results } = REPORTS.mixed;
  const outcomes = results.map(({ outcome, inconclusive, known_issue_gone }) =>
    inconclusive ? 'inconclusive' : known_issue_gone ? 'issue-gone' : outcome,
  );
  expect(new Set(outcomes)).toEqual(
    new Set(['passed', 'failed', 'error', 'known-issue', 'issue-gone', 'flaky', 'inconclusive', 'skipped']),
  );
  expect(new Set(results.flatMap(({ skip_cause }) => skip_cause?.kind ?? []))).toEqual(
    new Set(['not-ready', 'gate-failed', 'service-lost', 'run-ended', 'budget-reached']),
  );
});

describe.each(NAMES)('the %s run', (name) => {
  const report = REPORTS[name];

  test.each(REPORT_FORMATS)('as $file', ({ name: format, file }) => {
    golden(`${name}/${file}`, join(RENDERERS[format](report, 'top')));
  });

  test.each(['quiet', 'folded', 'normal', 'verbose'] as const)('on a %s terminal', (verbosity) => {
    golden(`${name}/terminal.${verbosity}.txt`, printed(name, verbosity));
  });

  const placed = placePaths(report, 'top');
  const pagesOf = (results: readonly ReportResult[], render: typeof renderTestPage) =>
    results.map((result) => `<!-- ${pageName(result)} -->\n${render(placed, result)}`).join('\n');

  test.each([
    ['failures.json', () => join(renderFailures(placed))],
    ['failures.md', () => pagesOf(placed.results.filter(needsPage), renderFailurePage)],
    [
      'tests.md',
      () =>
        pagesOf(
          placed.results.filter(({ outcome }) => outcome !== 'skipped'),
          renderTestPage,
        ),
    ],
    ['prompts.md', () => report.causes.map((cause) => renderAgentPrompt(report, cause)).join('\n---\n')],
    ['release.md', () => join(renderRelease(report))],
    ['annotations.txt', () => renderGithubAnnotations(report).join('\n')],
  ])('as %s', (file, render) => {
    golden(`${name}/${file}`, render());
  });
});

describe('the comparison of an earlier run with the mixed one', () => {
  const read = (report: Report) => comparableReportSchema.parse(JSON.parse(join(renderJson(report))));
  const comparison = compareReports(read(buildReport(earlierRun(), analysis)), read(REPORTS.mixed));

  test.each([
    ['comparison.txt', () => renderComparison(comparison, { color: false })],
    ['comparison.md', () => renderComparisonMarkdown(comparison)],
    ['comparison.html', () => join(renderComparisonHtml(comparison))],
  ])('as %s', (file, render) => {
    golden(file, render());
  });
});
