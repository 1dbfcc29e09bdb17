import { describe, expect, test } from 'vitest';
import { comparableReportSchema } from '../../../../src/domain/report/comparable.js';
import { compareReports, judgeComparison } from '../../../../src/domain/report/compare.js';
import {
  renderComparison,
  renderComparisonHtml,
  renderComparisonMarkdown,
} from '../../../../src/report/comparison.js';

type Counts = readonly [passed: number, counted: number];

/** A report of repeated tests: how often each passed. A test fails if one of its repeats did. */
function report(run_id: string, tests: Readonly<Record<string, Counts>>, { lane = 'live' } = {}) {
  const results = Object.entries(tests).map(([scenario_id, [passed, counted]]) => ({
    scenario_id,
    backend: 'claude',
    outcome: passed === counted ? ('passed' as const) : ('failed' as const),
    inconclusive: false,
    duration_seconds: 1,
    harness_seconds: null,
    scenario_hash: null,
    skip_reason: null,
    error: null,
    known_issue: null,
    repeats: { passed, counted },
    assertions: [],
    context: null,
  }));
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  return comparableReportSchema.parse({
    format: 1,
    run_id,
    timestamp: '2026-01-20T14:30:00.000Z',
    harness_version: '1.0.0',
    ralph_version: '2.10.1',
    lane,
    passed: passed === results.length,
    summary: { total: results.length, passed, failed: results.length - passed, errors: 0, skipped: 0 },
    interrupted: false,
    run_errors: [],
    target: { kind: 'real', version: '2.10.1' },
    backends_tested: [],
    results,
    causes: [],
  });
}

const compare = (
  before: Readonly<Record<string, Counts>>,
  after: Readonly<Record<string, Counts>>,
  options: Parameters<typeof report>[2] = {},
) => compareReports(report('one', before, options), report('two', after, options));

describe('two live runs with repeats', () => {
  test('are worse if a rate fell and that is shown', () => {
    const comparison = compare({ a: [38, 40], b: [40, 40] }, { a: [20, 40], b: [40, 40] });
    expect(comparison.rates?.tests.map(({ scenario_id, verdict }) => [scenario_id, verdict])).toEqual([
      ['a', 'worse'],
      ['b', 'no-evidence'],
    ]);
    expect(judgeComparison(comparison)).toBe('worse');
  });

  test('are better if a rate rose and that is shown', () => {
    const comparison = compare({ a: [10, 40] }, { a: [40, 40] });
    expect(comparison.rates?.tests[0]?.verdict).toBe('better');
    expect(comparison.changes.fixed).toHaveLength(1);
    expect(judgeComparison(comparison)).toBe('sound');
  });

  test('have no new failure without evidence: no verdict', () => {
    const comparison = compare({ a: [10, 10] }, { a: [8, 10] });
    const [change] = comparison.rates?.tests ?? [];
    expect([change?.verdict, judgeComparison(comparison)]).toEqual(['no-evidence', 'open']);
    expect(comparison.changes.new_failures).toEqual([]);
    expect(comparison.no_verdict).toEqual(['too few repeats show whether a on claude became worse']);
  });

  test('are judged test by test, however many others there are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`t${index}`, [30, 40] as const]),
    );
    const [first, second] = compare(many, { ...many, t7: [19, 40] }).rates?.tests ?? [];
    expect([first?.scenario_id, first?.verdict, second?.verdict]).toEqual(['t7', 'worse', 'no-evidence']);
  });
});

test('offline, every difference is a change, whatever the rates show', () => {
  const comparison = compare({ a: [10, 10] }, { a: [9, 10] }, { lane: 'sim' });
  expect(comparison.rates?.tests[0]?.verdict).toBe('no-evidence');
  expect(comparison.changes.new_failures).toHaveLength(1);
});

test('runs without repeats have no rates', () => {
  const plain = (id: string) => ({
    ...report(id, { a: [1, 1] }),
    results: report(id, { a: [1, 1] }).results.map((result) => ({ ...result, repeats: null })),
  });
  expect(compareReports(plain('one'), plain('two')).rates).toBeNull();
});

test('every view shows the rates and what they say', () => {
  const comparison = compare({ a: [38, 40], b: [9, 10] }, { a: [20, 40], b: [7, 10] });
  const terminal = renderComparison(comparison, { color: false, columns: 160 });
  expect(terminal).toMatch(
    /a on claude +38 of 40 \(95 %, .*\) +20 of 40 \(.*\) +🔴 worse \(p = less than 0\.0001\)\n/,
  );
  expect(terminal).toMatch(/b on claude .* ⚪ no evidence \(p = 0\.58\)\n/);
  expect(terminal).toContain('rates of 2 repeated tests: 1 worse, 0 better, 1 without evidence of a change');
  expect(renderComparisonMarkdown(comparison)).toContain('| 🔴 worse (p = less than 0.0001) |');
  const page = [...renderComparisonHtml(comparison)].join('');
  expect(page).toMatch(/<td>38 of 40 \(95 %, interval [^<]*<\/td><td>20 of 40 \(50 %, interval /);
  expect(page).toContain('<td>🔴 worse (p = less than 0.0001)</td>');
  expect(page).toMatch(/<bdi>b<\/bdi><\/strong> on .*no evidence \(p = 0\.58\)/);
});
