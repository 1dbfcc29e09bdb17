import { expect, test } from 'vitest';
import type { RunSummary } from '../../../../src/domain/report/history.js';
import { listTestHistories } from '../../../../src/domain/report/rates/test-history.js';
import { renderHistoryList, renderHistoryOf } from '../../../../src/report/test-history.js';

type Test = RunSummary['tests'][number];

const seen = (fields: Partial<Test> = {}): Test => ({
  scenario_id: 'connect',
  backend: 'claude',
  outcome: 'passed',
  duration_seconds: 50,
  counts: { counted: 1, passed: fields.outcome === 'failed' ? 0 : 1, flips: 0 },
  ...fields,
});

function run(run_id: string, tests: Test[], fields: Partial<RunSummary> = {}): RunSummary {
  return {
    format: 1,
    run_id,
    timestamp: '2026-01-20T14:30:00.000Z',
    ralph_version: '2.10.1',
    passed: true,
    total: tests.length,
    passed_tests: tests.length,
    pass_rate: 1,
    duration_seconds: 60,
    cost_usd: null,
    lane: 'live',
    target_kind: 'real',
    verdict: '',
    tests,
    ...fields,
  };
}

const RUNS = [
  run('r1', [seen({ duration_seconds: 50 }), seen({ scenario_id: 'steady' })]),
  run('r2', [seen({ outcome: 'failed', duration_seconds: 90 }), seen({ scenario_id: 'steady' })]),
  run('r3', [
    seen({ counts: { counted: 10, passed: 8, flips: 3 }, outcome: 'failed', duration_seconds: 54 }),
  ]),
  run('r4', [seen({ outcome: 'skipped' })]),
];

test('counts passes over runs and repeats, and flips within and between runs', () => {
  const [connect, steady] = listTestHistories(RUNS);
  expect(connect).toMatchObject({
    scenario_id: 'connect',
    passed: 9,
    counted: 12,
    flips: 4,
    usual_seconds: 52,
  });
  expect(connect?.points.map(({ run_id }) => run_id)).toEqual(['r1', 'r2', 'r3']);
  expect(steady).toMatchObject({ scenario_id: 'steady', passed: 2, counted: 2, rate: 1, flips: 0 });
});

test('a known issue counts neither as passed nor as failed, comes last, and says so', () => {
  const known = seen({
    scenario_id: 'known',
    outcome: 'known-issue',
    counts: { counted: 1, passed: 0, flips: 0 },
  });
  const histories = listTestHistories([run('r1', [known, seen()])]);
  expect(histories).toMatchObject([
    { scenario_id: 'connect', rate: 1 },
    { scenario_id: 'known', rate: null, counted: 0 },
  ]);
  expect(renderHistoryList(histories, 120)).toMatch(/^known \[claude\] .*known issue .*·$/m);
});

test('a change with another version of Ralph is no flip', () => {
  const later = run('r5', [seen({ outcome: 'failed' })], { ralph_version: '2.11.0' });
  expect(listTestHistories([run('r1', [seen()]), later])[0]?.flips).toBe(0);
  expect(listTestHistories([run('r1', [seen()]), run('r5', [seen({ outcome: 'failed' })])])[0]?.flips).toBe(
    1,
  );
});

test('lanes and kinds of target are not mixed', () => {
  const other = run('r5', [seen()], { lane: 'sim', target_kind: 'stand-in' });
  expect(listTestHistories([...RUNS.slice(0, 1), other]).map(({ lane }) => lane)).toEqual([
    'live',
    'live',
    'sim',
  ]);
});

test('an error of the harness does not count', () => {
  expect(
    listTestHistories([
      run('r1', [seen({ outcome: 'error', counts: { counted: 0, passed: 0, flips: 0 } })]),
    ])[0],
  ).toMatchObject({
    counted: 0,
    rate: null,
  });
});

test('a line for each test has its lane, its rate, its flips, its usual time and a mark for each run', () => {
  const sim = run('r5', [seen({ scenario_id: 'offline' })], { lane: 'sim', target_kind: 'stand-in' });
  const [head, connect, steady, offline] = renderHistoryList(listTestHistories([...RUNS, sim]), 120).split(
    '\n',
  );
  expect(head).toMatch(/^Test +Lane +Passed +Flips +Usually +Cost +Runs$/);
  expect(connect).toMatch(/^connect \[claude\] +live +9 of 12 \(75 %\) +4 +52\.0s +█▁▄$/);
  expect(steady).toMatch(/^steady \[claude\] +live +2 of 2 \(100 %\) +0 +50\.0s +██$/);
  expect(offline).toMatch(/^offline \[claude\] +sim \(stand-in\) +1 of 1 /);
});

test('a narrow terminal has a line for each figure', () => {
  const text = renderHistoryList(listTestHistories(RUNS), 40);
  expect(text).toMatch(/^connect \[claude\]\n {3}Lane: live\n {3}Passed: 9 of 12 \(75 %\)\n/);
  const [list = ''] = text.split('\n\n');
  expect(Math.max(...list.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
});

test('one test has its runs', () => {
  const text = renderHistoryOf(listTestHistories(RUNS).slice(0, 1), 120);
  expect(text).toMatch(/^connect \[claude\], live, 3 runs\nPassed: 9 of 12 \(75 %\), 95 % interval: /);
  expect(text).toContain('\nRuns: █▁▄\n');
  expect(text).toMatch(/^r3 +2\.10\.1 +54\.0s +failed, 8 of 10$/m);
});

test('a change between two builds of one version is no flip, and the runs name the build', () => {
  const on = (id: string, sha256: string | undefined, outcome: Test['outcome']) =>
    run(id, [seen({ outcome })], sha256 === undefined ? {} : { ralph_sha256: sha256.repeat(8) });
  const [other] = listTestHistories([on('r1', 'aaaabbbb', 'passed'), on('r2', 'ccccdddd', 'failed')]);
  expect(other?.flips).toBe(0);
  expect(renderHistoryOf(other === undefined ? [] : [other], 120)).toMatch(
    /2\.10\.1 aaaabbbb [\s\S]*2\.10\.1 ccccdddd /,
  );
  const [same] = listTestHistories([on('r1', 'aaaabbbb', 'passed'), on('r2', 'aaaabbbb', 'failed')]);
  expect(same?.flips).toBe(1);
  const [unknown] = listTestHistories([on('r1', undefined, 'passed'), on('r2', 'aaaabbbb', 'failed')]);
  expect(unknown?.flips).toBe(1);
});
