import { describe, expect, it } from 'vitest';
import { CHANGE_KINDS } from '../../../src/domain/report/change.js';
import { type ComparableReport, comparableReportSchema } from '../../../src/domain/report/comparable.js';
import { compareReports, judgeComparison } from '../../../src/domain/report/compare.js';
import { analysis } from '../../../src/harness/analysis.js';
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
    harness_seconds: 0.5,
    scenario_hash: null,
    skip_reason: null,
    error: null,
    known_issue: null,
    repeats: null,
    assertions: [],
    context: { iterations_completed: 3, usage: null },
    ...fields,
  };
}

function report(results: Result[], fields: Partial<ComparableReport> = {}): ComparableReport {
  return {
    format: 1,
    run_id: 'run-1',
    timestamp: '2026-01-20T14:30:00.000Z',
    harness_version: '1.0.0',
    ralph_version: '2.10.1',
    lane: 'sim',
    passed: results.every(({ outcome }) => outcome !== 'failed' && outcome !== 'error'),
    interrupted: false,
    run_errors: [],
    summary: {
      total: results.filter(({ outcome }) => outcome !== 'skipped').length,
      passed: results.filter(({ outcome }) => outcome === 'passed').length,
      failed: results.filter(({ outcome }) => outcome === 'failed').length,
      errors: results.filter(({ outcome }) => outcome === 'error').length,
      skipped: results.filter(({ outcome }) => outcome === 'skipped').length,
    },
    target: { kind: 'real', version: '2.10.1' },
    backends_tested: [],
    results,
    causes: [],
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
    ['it fails and was not there', undefined, { outcome: 'failed' }, ['only_after']],
    ['it is a known issue and was not there', undefined, { outcome: 'known-issue' }, ['only_after']],
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

describe('the causes of a comparison', () => {
  const failed = (scenario_id: string, name: string, fields: Partial<Result> = {}) =>
    result({
      scenario_id,
      outcome: 'failed',
      assertions: [{ name, passed: false, actual: 'exit code 1' }],
      ...fields,
    });
  const passed = (results: readonly Result[]) =>
    results.map(({ scenario_id, backend }) => result({ scenario_id, backend }));
  const text = (before: ComparableReport, after: ComparableReport) =>
    renderComparison(compareReports(before, after), { color: false });

  it('are those of the report: one entry each, on one screen', () => {
    const counts = Array.from({ length: 38 }, (_, index) => failed(`counts-${index}`, `check ${index}`));
    const all = [...counts, failed('other', 'the loop completes')];
    const causes = [
      {
        hypothesis: 'Nothing is counted.',
        tests: counts.map(({ scenario_id }) => `${scenario_id} [claude]`),
      },
      { hypothesis: 'The loop goes on.', tests: ['other [claude]'] },
    ];
    const worse = text(report(passed(all)), report(all, { causes }));
    expect(worse).toMatch(
      /New failures \(39\), 2 causes\n {2}38 tests: Nothing is counted\. Such as: check 0 \(received: exit code 1\)\n {4}counts-0 on claude, .*\n {4}.*, \d+\s+more\n {2}Passed → Failed: other on claude: The loop goes on\./,
    );
    expect(worse.split('\n').length).toBeLessThan(18);
    expect(text(report(all, { causes }), report(passed(all)))).toMatch(
      /Fixed \(39\), 2 causes\n {2}38 tests: was: Nothing is counted\./,
    );
  });

  it('are as many as the report has', () => {
    const tests = ['hooks', 'memories', 'hats'].flatMap((area, index) =>
      ['a', 'b', 'c'].slice(index).map((id) => ({
        scenarioId: `${area}-${id}`,
        attempts: [
          {
            outcome: 'failed' as const,
            checks: [
              {
                name: `${area} ${id}`,
                passed: false,
                promises: [{ area, promise: `Ralph keeps ${area}.`, source: `${area}.rs` }],
              },
            ],
          },
        ],
      })),
    );
    const now = buildReport(journal({ run: { lane: 'sim' }, tests }), analysis);
    const after = comparableReportSchema.parse(now);
    const sound = after.results.map((one) => ({ ...one, outcome: 'passed' as const, assertions: [] }));
    const { changes } = compareReports(report(sound), after);
    expect(now.causes).toHaveLength(3);
    expect(new Set(changes.new_failures.map(({ cause }) => cause))).toEqual(
      new Set(now.causes.map(({ hypothesis }) => hypothesis)),
    );
  });

  it('are known issues, each once', () => {
    const issue = (scenario_id: string, reason: string) =>
      result({ scenario_id, outcome: 'known-issue', known_issue: { reason } });
    const after = [issue('a', 'it kills itself'), issue('b', 'it kills itself'), issue('c', 'it waits')];
    expect(text(report(passed(after)), report(after))).toMatch(
      /Known issues that appeared \(3\), 2 causes\n {2}2 tests: it kills itself\n {4}a on claude, b on claude\n/,
    );
  });

  it('without any, tests belong together that say the same', () => {
    const after = [failed('a', 'the loop completes'), failed('b', 'the loop completes'), failed('c', 'x')];
    expect(text(report(passed(after)), report(after))).toMatch(
      /New failures \(3\), 2 causes\n {2}2 tests: the loop completes \(received: exit code 1\)\n {4}a on claude, b on claude\n {2}Passed → Failed: c on claude: x/,
    );
  });

  it('count every test that is not named', () => {
    const only = Array.from({ length: 60 }, (_, index) =>
      (['claude', 'kiro', 'opencode'] as const).map((backend) =>
        result({ scenario_id: `scenario-${index}`, backend }),
      ),
    ).flat();
    const steady = result({ scenario_id: 'steady' });
    const skipped = only.map((one) => ({ ...one, outcome: 'skipped' as const }));
    const shown = text(report([steady, ...only]), report([steady, ...skipped]));
    const [, listed = ''] = shown.split('Skipped now (180)\n');
    const named = listed.match(/ on\s+(?:claude|kiro|opencode)/g) ?? [];
    const more = Number(/, (\d+)\s+more/.exec(listed)?.[1]);
    expect(named.length + more).toBe(180);
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
      /New failures \(1\)\n {2}Passed → Failed: hat-single on claude: .*\n\n🟢 Fixed \(1\)[\s\S]*Only in the earlier report \(1\)/,
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

/** Counts how often items of a list are read. */
function counted<Item>(items: readonly Item[], onRead: () => void): Item[] {
  return new Proxy([...items], {
    get(list, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) onRead();
      return Reflect.get(list, key, receiver);
    },
  });
}

it('reads the results and causes of twice as many failures twice as often', () => {
  const readsOf = (count: number) => {
    let reads = 0;
    const onRead = () => {
      reads += 1;
    };
    const ids = Array.from({ length: count }, (_, index) => `test-${index}`);
    const tests = counted(
      ids.map((id) => `${id} [claude]`),
      onRead,
    );
    const results = (outcome: Result['outcome']) =>
      counted(
        ids.map((scenario_id) => result({ scenario_id, outcome })),
        onRead,
      );
    compareReports(
      report(results('passed')),
      report(results('failed'), { run_id: 'run-2', causes: [{ hypothesis: 'one', tests }] }),
    );
    return reads;
  };
  expect(readsOf(400)).toBeLessThan(2.1 * readsOf(200));
});

describe('a report that contradicts itself', () => {
  const both = [result({ scenario_id: 'a' }), result({ scenario_id: 'b' })];
  const summary = { total: 2, passed: 2, failed: 0, errors: 0, skipped: 0, flaky: 0, known_issues: 0 };
  const voidsOf = (after: ComparableReport) => compareReports(report(both), after).no_verdict;
  const run = { run_id: 'run-2', passed: true, summary };

  it('has no verdict if its counts are not those of its results', () => {
    expect(voidsOf(report(both, run))).toEqual([]);
    expect(voidsOf(report(both.slice(1), run))).toEqual([
      'the later report contradicts itself: summary.total is not 1, as its results say',
      'the later report contradicts itself: summary.passed is not 1, as its results say',
    ]);
  });

  it('has no verdict if it says that it passed with a failed result', () => {
    const failed = [result({ scenario_id: 'a', outcome: 'failed' }), result({ scenario_id: 'b' })];
    const counts = { ...summary, passed: 1, failed: 1 };
    expect(voidsOf(report(failed, { ...run, summary: counts }))).toEqual([
      'the later report contradicts itself: passed is true, and 1 of 2 results are not',
    ]);
  });
});

describe('two builds of one version', () => {
  const on = (path: string, sha256: string) =>
    report([result()], { target: { kind: 'real', version: '2.10.1', path, sha256: sha256.repeat(8) } });

  it('are told apart by path and hash, and the binary is among what changed', () => {
    const comparison = compareReports(on('/old/ralph', 'aaaabbbb'), on('/new/ralph', 'ccccdddd'));
    expect(comparison.also_changed).toEqual(['the binary of ralph: aaaabbbb, now ccccdddd']);
    const text = renderComparison(comparison, { color: false, columns: 160 });
    expect(text).toContain('ralph 2.10.1 (/old/ralph, SHA-256 aaaabbbb)');
    expect(text).toContain('ralph 2.10.1 (/new/ralph, SHA-256 ccccdddd)');
  });

  it('are no two where only the stand-in was told to misbehave, and that is among what changed', () => {
    const standIn = { kind: 'stand-in', version: '2.10.1', path: '/ralph' } as const;
    const [healthy, broken] = [standIn, { ...standIn, faults: ['lose-events'] }].map((target) =>
      report([result()], { target }),
    );
    if (healthy === undefined || broken === undefined) throw new Error('two reports expected');
    expect(compareReports(healthy, broken).also_changed).toEqual([
      "the stand-in's faults: none, now lose-events",
    ]);
  });

  it('are one where the hash is the same', () => {
    const comparison = compareReports(on('/old/ralph', 'aaaabbbb'), on('/new/ralph', 'aaaabbbb'));
    expect([comparison.also_changed, comparison.before.build]).toEqual([[], null]);
  });
});

describe('runs of different selections', () => {
  const some = (...ids: string[]) => ids.map((scenario_id) => result({ scenario_id }));
  const many = Array.from({ length: 467 }, (_, index) => `one-${index}`);

  it('are compared in what both ran, and the rest is counted', () => {
    const comparison = compareReports(
      report(some('a', ...many)),
      report(some('a', 'b'), { run_id: 'run-2' }),
    );
    expect(comparison.caveats).toContain(
      'the selections differ: 467 only in the earlier report, 1 only in the later one',
    );
    const text = renderComparison(comparison, { color: false, columns: 120 });
    expect(text).toContain('Mind');
    expect(text).toContain('Only in the earlier report (467)\n  467 tests: see the JSON');
    expect(text).not.toContain('one-1');
    expect(judgeComparison(comparison)).toBe('sound');
  });

  it('name their tests, however many there are, if one of them takes the verdict away', () => {
    const unclear = result({ scenario_id: 'unclear', outcome: 'failed', inconclusive: true });
    const many = Array.from({ length: 30 }, (_, index) => result({ scenario_id: `new-${index}` }));
    const later = report([...some('a'), unclear, ...many], { run_id: 'run-2' });
    const text = renderComparison(compareReports(report(some('a')), later), { color: false, columns: 120 });
    expect(text).toContain('Only in the later report (31)');
    expect(text).toContain('unclear on claude');
  });

  it('have no new failure in a test that did not run before, and no pass either', () => {
    const failed = result({ scenario_id: 'b', outcome: 'failed' });
    const comparison = compareReports(report(some('a')), report([...some('a'), failed], { run_id: 'run-2' }));
    expect(comparison.changes.new_failures).toEqual([]);
    expect(comparison.changes.only_after).toMatchObject([{ scenario_id: 'b', after: 'failed' }]);
    expect(comparison.no_verdict).toEqual(['a test failed that did not run before']);
    expect(judgeComparison(comparison)).toBe('open');
  });
});
