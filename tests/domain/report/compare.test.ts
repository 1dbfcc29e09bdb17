import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/analysis.js';
import {
  CHANGE_KINDS,
  type ComparableReport,
  comparableReportSchema,
  compareReports,
} from '../../../src/domain/report/compare.js';
import { renderComparison, renderComparisonMarkdown } from '../../../src/report/comparison.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { journal } from '../../report/support/journal.js';
import { readOutline } from '../../report/support/markdown-outline.js';

type Result = ComparableReport['results'][number];

function result(fields: Partial<Result> = {}): Result {
  return {
    scenario_id: 'hat-single',
    backend: 'claude',
    outcome: 'passed',
    inconclusive: false,
    duration_seconds: 2,
    skip_reason: null,
    error: null,
    assertions: [],
    context: { iterations_completed: 3 },
    ...fields,
  };
}

function report(results: Result[], fields: Partial<ComparableReport> = {}): ComparableReport {
  return {
    schema_version: 1,
    run_id: 'run-1',
    timestamp: '2026-01-20T14:30:00.000Z',
    ralph_version: '2.10.1',
    lane: 'sim',
    interrupted: false,
    target: { kind: 'real', version: '2.10.1' },
    results,
    ...fields,
  };
}

/** The kinds of change from one result to another; undefined: the report does not have it. */
function kindsOf(before: Partial<Result> | undefined, after: Partial<Result> | undefined): string[] {
  const list = (fields: Partial<Result> | undefined) => (fields === undefined ? [] : [result(fields)]);
  const { changes } = compareReports(report(list(before)), report(list(after)));
  return CHANGE_KINDS.filter((kind) => changes[kind].length > 0);
}

describe('the change from one result to the next', () => {
  it.each<[string, Partial<Result> | undefined, Partial<Result> | undefined, string[]]>([
    ['nothing changed', {}, {}, []],
    ['it fails now', {}, { outcome: 'failed' }, ['new_failures']],
    ['the harness fails now', {}, { outcome: 'error' }, ['new_failures']],
    ['it fails and was not there', undefined, { outcome: 'failed' }, ['new_failures', 'only_after']],
    [
      'it fails and was skipped',
      { outcome: 'skipped' },
      { outcome: 'failed' },
      ['new_failures', 'no_longer_skipped'],
    ],
    [
      'a known issue fails otherwise now',
      { outcome: 'known-issue' },
      { outcome: 'failed' },
      ['new_failures'],
    ],
    ['it is fixed', { outcome: 'failed' }, {}, ['fixed']],
    ['it fails still', { outcome: 'failed' }, { outcome: 'error' }, ['still_failing']],
    ['a known issue appeared', {}, { outcome: 'known-issue' }, ['known_issues_appeared']],
    ['a failure is known now', { outcome: 'failed' }, { outcome: 'known-issue' }, ['known_issues_appeared']],
    ['a known issue went', { outcome: 'known-issue' }, {}, ['known_issues_gone']],
    ['it is flaky now', {}, { outcome: 'flaky' }, ['newly_flaky']],
    ['it is skipped now', {}, { outcome: 'skipped' }, ['newly_skipped']],
    ['it is no longer there', {}, undefined, ['only_before']],
    ['slower by half, and by a second', { duration_seconds: 2 }, { duration_seconds: 3 }, ['slower']],
    ['slower by half, but not by a second', { duration_seconds: 1 }, { duration_seconds: 1.9 }, []],
    ['slower by a second, but not by half', { duration_seconds: 10 }, { duration_seconds: 14.9 }, []],
    [
      'a failure that takes longer',
      { outcome: 'failed', duration_seconds: 1 },
      { outcome: 'failed', duration_seconds: 9 },
      ['still_failing'],
    ],
    [
      'a fix that takes longer than the failure did',
      { outcome: 'failed', duration_seconds: 1 },
      { duration_seconds: 9 },
      ['fixed'],
    ],
    ['another number of iterations', {}, { context: { iterations_completed: 4 } }, ['iterations']],
    ['iterations that are not known', { context: null }, {}, []],
  ])('%s', (_what, before, after, kinds) => {
    expect(kindsOf(before, after)).toEqual(kinds);
  });

  it('the same scenario on two backends is two things', () => {
    const { changes, unchanged } = compareReports(
      report([result(), result({ backend: 'kiro', outcome: 'failed' })]),
      report([result({ backend: 'kiro' }), result({ outcome: 'failed' })]),
    );
    expect(changes.new_failures).toMatchObject([{ backend: 'claude', before: 'passed', after: 'failed' }]);
    expect(changes.fixed).toMatchObject([{ backend: 'kiro' }]);
    expect(unchanged).toBe(0);
  });

  it('says what broke', () => {
    const failed = result({
      outcome: 'failed',
      assertions: [
        { name: 'a', passed: false },
        { name: 'b', passed: true },
      ],
    });
    expect(compareReports(report([result()]), report([failed])).changes.new_failures[0]?.detail).toBe('a');
  });

  it('says when two runs do not compare', () => {
    const other = report([], {
      lane: 'live',
      target: { kind: 'stand-in', version: '2.10.1' },
      interrupted: true,
    });
    expect(compareReports(report([]), other).caveats).toHaveLength(3);
    expect(compareReports(report([]), report([])).caveats).toEqual([]);
  });
});

describe('the rendering of a comparison', () => {
  const comparison = compareReports(
    report([result({ scenario_id: 'gone' }), result(), result({ scenario_id: 'fixed', outcome: 'failed' })]),
    report([
      result({ outcome: 'failed', error: '`</details>` | \u001b[31mred\n# Heading' }),
      result({ scenario_id: 'fixed' }),
    ]),
  );

  it('lists new failures first, then the rest, and no empty list', () => {
    const text = renderComparison(comparison, { color: false });
    expect(text).toMatch(
      /New failures: 1\n {2}hat-single on claude \(passed, now failed\): .*\n\n🟢 Fixed: 1[\s\S]*Only in the earlier report: 1/,
    );
    expect(text).not.toMatch(/Slower|\u001b/);
    expect(text.split('\n').at(-1)).toBe('1 new failure, 1 fixed, 0 still failing, 0 unchanged');
  });

  it('keeps what an agent said in its place', () => {
    const { problems, headings } = readOutline(renderComparisonMarkdown(comparison));
    expect(problems).toEqual([]);
    expect(headings.map((heading) => heading.replace(/\(\d+\)/, ''))).toEqual([
      '# Comparison of two E2E runs',
      '## 🔴 New failures ',
      '## 🟢 Fixed ',
      '## ➖ Only in the earlier report ',
    ]);
  });
});

it('reads the reports that we write', () => {
  const written = buildReport(
    journal({ tests: [{ attempts: [{ checks: [{}] }] }, { scenarioId: 'x', skipped: 'y' }] }),
    analysis,
  );
  const read = comparableReportSchema.parse(JSON.parse(JSON.stringify(written)));
  expect(read.results.map(({ outcome }) => outcome)).toEqual(['passed', 'skipped']);
  expect(read.results[0]?.context?.iterations_completed).toBe(1);
});
