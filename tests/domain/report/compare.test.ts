import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/analysis.js';
import { type ComparableReport, comparableReportSchema } from '../../../src/domain/report/comparable.js';
import { CHANGE_KINDS, compareReports } from '../../../src/domain/report/compare.js';
import { renderComparisonMarkdown } from '../../../src/report/markdown/comparison.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { renderComparison } from '../../../src/report/terminal/comparison.js';
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
    harness_seconds: 0.5,
    scenario_hash: null,
    skip_reason: null,
    error: null,
    repeats: null,
    assertions: [],
    context: { iterations_completed: 3, usage: null },
    ...fields,
  };
}

function report(results: Result[], fields: Partial<ComparableReport> = {}): ComparableReport {
  return {
    schema_version: 1,
    run_id: 'run-1',
    timestamp: '2026-01-20T14:30:00.000Z',
    harness_version: '1.0.0',
    ralph_version: '2.10.1',
    lane: 'sim',
    interrupted: false,
    run_errors: [],
    target: { kind: 'real', version: '2.10.1' },
    backends_tested: [],
    results,
    ...fields,
  };
}

/** The kinds of change from one result to another; undefined: the report does not have it. */
function kindsOf(before: Partial<Result> | undefined, after: Partial<Result> | undefined): string[] {
  const steady = ['a', 'b', 'c'].map((scenario_id) => result({ scenario_id }));
  const list = (fields: Partial<Result> | undefined) =>
    fields === undefined ? steady : [result(fields), ...steady];
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
      'slower while the machine was busier',
      { duration_seconds: 2, harness_seconds: 0.5 },
      { duration_seconds: 9, harness_seconds: 2 },
      [],
    ],
    [
      'a failure in another number of iterations',
      {},
      { outcome: 'failed', context: { iterations_completed: 4, usage: null } },
      ['new_failures'],
    ],
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
    [
      'another number of iterations',
      {},
      { context: { iterations_completed: 4, usage: null } },
      ['iterations'],
    ],
    ['a test that is another one now', { scenario_hash: 'x' }, { scenario_hash: 'y' }, ['changed_tests']],
    [
      'a changed test that fails now',
      { scenario_hash: 'x' },
      { scenario_hash: 'y', outcome: 'failed', duration_seconds: 9 },
      ['changed_tests'],
    ],
    [
      'a changed test that passes now',
      { scenario_hash: 'x', outcome: 'failed' },
      { scenario_hash: 'y' },
      ['changed_tests'],
    ],
    [
      'the same test fails now',
      { scenario_hash: 'x' },
      { scenario_hash: 'x', outcome: 'failed' },
      ['new_failures'],
    ],
    ['a test without a hash fails now', {}, { scenario_hash: 'x', outcome: 'failed' }, ['new_failures']],
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
        { name: 'a', passed: false, actual: 'nothing' },
        { name: 'b', passed: true, actual: '' },
        { name: 'c', passed: false, actual: 'something' },
      ],
    });
    expect(compareReports(report([result()]), report([failed])).changes.new_failures[0]?.detail).toBe(
      'a (received: nothing); c',
    );
  });

  it('says when two runs do not compare', () => {
    const other = report([], {
      lane: 'live',
      target: { kind: 'stand-in', version: '2.10.1' },
      interrupted: true,
    });
    const three = ['a', 'b', 'c'].map((scenario_id) => result({ scenario_id }));
    expect(compareReports(report(three), { ...other, results: three }).caveats).toHaveLength(2);
    expect(compareReports(report(three), report(three)).caveats).toEqual([]);
  });
});

describe('durations are compared', () => {
  const run = (duration_seconds: number, harness_seconds: number | null, count = 5) =>
    report(
      Array.from({ length: count }, (_, index) =>
        result({ scenario_id: `s-${index}`, duration_seconds, harness_seconds }),
      ),
    );
  it.each([
    ['where ralph-e2e itself took as long', run(2, 0.5), run(8, 0.6), 5, undefined],
    [
      'not where the machine was busier later',
      run(2, 0.5),
      run(8, 2),
      0,
      'durations are not compared: the machine was busier in the later run (ralph-e2e itself took 4.0 times as long)',
    ],
    [
      'not where the machine was busier before',
      run(2, 2),
      run(8, 0.5),
      0,
      'durations are not compared: the machine was busier in the earlier run (ralph-e2e itself took 4.0 times as long)',
    ],
    [
      'not with a report that does not say it',
      run(2, null),
      run(8, 0.5),
      0,
      'durations are not compared: a report does not say how busy the machine was',
    ],
    [
      'not in two runs of hardly any tests',
      run(2, 0.5, 2),
      run(8, 0.5, 2),
      0,
      'durations are not compared: fewer than 3 tests passed in both runs',
    ],
  ])('%s', (_where, before, after, slower, caveat) => {
    const { changes, caveats } = compareReports(before, after);
    expect([changes.slower.length, caveats[0]]).toEqual([slower, caveat]);
  });
});

it('names what else changed, and nothing that did not', () => {
  const using = (version: string, model: string) => ({
    backends_tested: [
      { backend: 'claude', version },
      { backend: 'kiro', version: '1.0' },
    ],
    results: [result({ context: { iterations_completed: 1, usage: { model } } })],
  });
  const before = report([], {
    ...using('2.1.1', 'opus'),
    lane: 'live',
    ralph_version: '2.9.3',
    harness_version: '0.9.0',
  });
  const after = report([], { ...using('2.1.2', 'sonnet'), lane: 'live' });
  expect(compareReports(before, after).also_changed).toEqual([
    'ralph: 2.9.3, now 2.10.1',
    'ralph-e2e: 0.9.0, now 1.0.0',
    'claude: 2.1.1, now 2.1.2',
    'the model of claude: opus, now sonnet',
  ]);
  expect(compareReports(after, after).also_changed).toEqual([]);
  const offline = (compared: ComparableReport): ComparableReport => ({ ...compared, lane: 'sim' });
  expect(compareReports(offline(before), offline(after)).also_changed.join()).not.toContain('model');
});

it('tells many tests with one cause as one entry, on one screen', () => {
  const broken = (index: number) =>
    result({
      scenario_id: `counts-${index}`,
      outcome: 'failed',
      assertions: [
        {
          name: `the loop takes ${index} iteration${index === 1 ? '' : 's'}`,
          passed: false,
          actual: `0 finished, ${index} started`,
        },
      ],
    });
  const other = result({
    scenario_id: 'other',
    outcome: 'failed',
    assertions: [{ name: 'the loop completes', passed: false, actual: 'exit code 1' }],
  });
  const failed = [...Array.from({ length: 38 }, (_, index) => broken(index + 1)), other];
  const passed = failed.map(({ scenario_id }) => result({ scenario_id }));
  const text = renderComparison(compareReports(report(failed), report(passed)), { color: false });
  expect(text).toMatch(
    /Fixed: 39, 2 causes, on claude\n {2}38 tests: was: the loop takes 1 iteration \(received: 0 finished, 1 started\)\n {4}counts-1, .*\n {4}counts-.* and 25 more\n {2}other: was: the loop completes \(received: exit code 1\)/,
  );
  expect(text.split('\n').length).toBeLessThan(14);
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
      /New failures: 1, on claude\n {2}hat-single: .*\n\n🟢 Fixed: 1[\s\S]*Only in the earlier report: 1/,
    );
    expect(text).not.toMatch(/Slower|\u001b/);
    expect(text.split('\n').slice(-2)).toEqual([
      '1 new failure, 1 fixed, 0 still failing, 0 unchanged',
      'All failed checks: --json',
    ]);
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
