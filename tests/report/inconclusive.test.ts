import { expect, test } from 'vitest';
import { comparableReportSchema } from '../../src/domain/report/comparable.js';
import { compareReports } from '../../src/domain/report/compare.js';
import { renderCtrf } from '../../src/report/ctrf.js';
import { renderFailurePage } from '../../src/report/failure-page/failure-page.js';
import { renderGithubAnnotations } from '../../src/report/github/annotations.js';
import { renderGithubSummary } from '../../src/report/github/summary.js';
import { renderHtml } from '../../src/report/html/render-html.js';
import { renderJunit } from '../../src/report/junit.js';
import { renderMarkdown } from '../../src/report/markdown/markdown.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { renderComparison } from '../../src/report/terminal/comparison.js';
import type { Pieces } from '../../src/report/text/pieces.js';
import { journal } from './support/journal.js';

const BROKEN = { passed: false, name: 'the loop completes' };
const failed = (scenarioId: string, whose: 'target' | 'agent' | 'infrastructure') => ({
  scenarioId,
  attempts: [
    {
      outcome: 'failed' as const,
      checks: [BROKEN],
      fault: {
        whose,
        because: whose === 'target' ? [] : [`fact about ${scenarioId}`],
        ...(whose === 'infrastructure' ? { trouble: 'overload' as const } : {}),
      },
    },
  ],
});

const tests = [failed('one', 'target'), failed('two', 'agent'), failed('three', 'infrastructure')];
const REPORT = buildReport(journal({ tests }));
const UNCLEAR = buildReport(journal({ tests: tests.slice(1) }));
const WORDS = [
  'Ralph broke a promise',
  'inconclusive: the agent did otherwise',
  'inconclusive: infrastructure (overload)',
];

const join = (pieces: Pieces): string => [...pieces].join('');

test('the verdict counts what is inconclusive apart from what failed', () => {
  expect(REPORT.verdict).toBe(
    '1 of 3 tests failed, 2 inconclusive: the agent did otherwise (1), infrastructure (1) - action required',
  );
  expect(UNCLEAR.verdict).toBe(
    'no verdict: 2 of 2 tests inconclusive: the agent did otherwise (1), infrastructure (1) - run them again',
  );
  expect(REPORT.summary).toMatchObject({ total: 3, failed: 3, inconclusive: 2, passed: 0 });
  expect(REPORT.results.map(({ passed, inconclusive }) => [passed, inconclusive])).toEqual([
    [false, false],
    [false, true],
    [false, true],
  ]);
});

test.each([
  ['report.md', join(renderMarkdown(REPORT))],
  ['the pages', REPORT.results.map((result) => renderFailurePage(REPORT, result)).join('\n')],
  ['the HTML report', join(renderHtml(REPORT))],
  ['JUnit', join(renderJunit(REPORT))],
  ['the job summary', join(renderGithubSummary(REPORT))],
])('%s says of each failure whose fault it is', (_, text) => {
  for (const words of WORDS) expect(text).toContain(words);
  for (const fact of ['fact about two', 'fact about three']) expect(text).toContain(fact);
});

test('report.md lists inconclusive tests below the failures, each with its command', () => {
  const text = join(renderMarkdown(REPORT));
  const [failures, rest = ''] = text.split('## ❔ Inconclusive Tests');
  expect(failures).toContain('### ❌ `one` on Claude');
  const section = rest.split('\n## ')[0] ?? '';
  for (const id of ['two', 'three']) {
    expect(failures).not.toContain(`\`${id}\` on Claude`);
    expect(section).toContain(`### ❔ \`${id}\` on Claude`);
    expect(section).toContain(`--test ${id}`);
  }
  expect(join(renderMarkdown(UNCLEAR))).toContain('## 🟠 NO VERDICT');
});

test('CTRF and annotations tell them apart', () => {
  const ctrf = JSON.parse(join(renderCtrf(REPORT)));
  expect(
    ctrf.results.tests.map(({ status, rawStatus }: { status: string; rawStatus: string }) => [
      status,
      rawStatus,
    ]),
  ).toEqual([
    ['failed', 'failed'],
    ['failed', 'inconclusive'],
    ['failed', 'inconclusive'],
  ]);
  const kinds = renderGithubAnnotations(REPORT).map((line) => line.split(' ')[0]);
  expect(kinds).toEqual(['::error', '::warning', '::warning']);
});

test('a comparison does not call it a new failure', () => {
  const read = (story: typeof tests) => comparableReportSchema.parse(buildReport(journal({ tests: story })));
  const passed = tests.map(({ scenarioId }) => ({ scenarioId, attempts: [{}] }));
  const before = comparableReportSchema.parse(buildReport(journal({ tests: passed })));
  const comparison = compareReports(before, read(tests));
  expect(comparison.changes.new_failures.map(({ scenario_id }) => scenario_id)).toEqual(['one']);
  expect(comparison.changes.newly_inconclusive.map(({ scenario_id }) => scenario_id)).toEqual([
    'two',
    'three',
  ]);
  const text = renderComparison(comparison, { color: false });
  expect(text).toContain('❔ Inconclusive now: 2');
  expect(text).toContain('1 failed, 2 inconclusive');
});
