import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUsual } from '../../../src/domain/report/expectation.js';
import {
  comparableRuns,
  expectTimes,
  findPrevious,
  type RunSummary,
} from '../../../src/domain/report/history.js';
import { executionKey } from '../../../src/domain/vocabulary.js';

function summary(fields: Partial<RunSummary> = {}): RunSummary {
  return {
    format: 1,
    run_id: 'run',
    timestamp: '',
    ralph_version: '2',
    passed: true,
    total: 1,
    passed_tests: 1,
    pass_rate: 1,
    duration_seconds: 1,
    cost_usd: null,
    lane: 'sim',
    target_kind: 'real',
    verdict: '',
    tests: [],
    ...fields,
  };
}

const took = (seconds: number, outcome: RunSummary['tests'][number]['outcome'] = 'passed') =>
  summary({
    tests: [
      {
        scenario_id: 'a',
        backend: 'claude',
        outcome,
        duration_seconds: seconds,
        counts: { counted: 1, passed: 1, flips: 0 },
      },
    ],
  });

describe('findPrevious', () => {
  const run = (run_id: string, ids: readonly string[]) =>
    summary({
      run_id,
      tests: ids.flatMap((scenario_id) => took(1).tests.map((test) => ({ ...test, scenario_id }))),
    });
  const keys = (...ids: readonly string[]) => new Set(ids.map((id) => executionKey(id, 'claude')));

  it('is the latest run of the same tests, whatever ran since', () => {
    const runs = [run('first', ['a', 'b']), run('second', ['b', 'a']), run('third', ['a'])];
    expect(findPrevious(runs, keys('a', 'b'))?.run_id).toBe('second');
    expect(findPrevious(runs, keys('a'))?.run_id).toBe('third');
  });

  it('is none if every run had fewer, more or other tests', () => {
    const runs = [run('first', ['a']), run('second', ['a', 'b', 'c']), run('third', ['a', 'c'])];
    expect(findPrevious(runs, keys('a', 'b'))).toBeUndefined();
  });
});

describe('expectTimes', () => {
  it('is the median of the five latest times of a test that passed', () => {
    expect(expectTimes([took(900), took(800), took(5), took(1), took(3), took(2), took(4)])).toEqual([
      { scenarioId: 'a', backend: 'claude', seconds: 3 },
    ]);
    expect(expectTimes([took(1), took(2)])[0]?.seconds).toBe(1.5);
  });

  it('does not count times of tests that failed, were skipped or had to be tried again', () => {
    expect(expectTimes([took(1, 'failed'), took(2, 'skipped'), took(3, 'error'), took(4, 'flaky')])).toEqual(
      [],
    );
    expect(expectTimes([took(60, 'failed'), took(2), took(4, 'known-issue')])[0]?.seconds).toBe(3);
  });

  it('is between the shortest and the longest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 9 }),
        (times) => {
          const [expected] = expectTimes(times.map((time) => took(time)));
          expect(expected?.seconds).toBeGreaterThanOrEqual(Math.min(...times));
          expect(expected?.seconds).toBeLessThanOrEqual(Math.max(...times));
        },
      ),
    );
  });
});

it('only runs in the same lane on the same kind of target are compared', () => {
  const runs = [
    summary({ run_id: 'other lane', lane: 'live' }),
    summary({ run_id: 'same' }),
    summary({ run_id: 'other target', target_kind: 'stand-in' }),
  ];
  const found = comparableRuns(runs, { lane: 'sim', target_kind: 'real' });
  expect(found.map(({ run_id }) => run_id)).toEqual(['same']);
});

describe('findUsual', () => {
  const pass = (model: string | null, tokens: number | null) => ({
    model,
    values: { tokens_estimated: tokens, duration_seconds: 1 },
  });

  it('returns median and maximum of the latest passes with the model of the last one', () => {
    const passes = [
      pass('old', 9_000),
      pass('new', 100),
      pass('old', 9_000),
      pass('new', 300),
      pass('new', null),
    ];
    expect(findUsual(passes)).toEqual({
      model: 'new',
      metrics: [
        { metric: 'duration_seconds', passes: 3, median: 1, most: 1 },
        { metric: 'tokens_estimated', passes: 2, median: 200, most: 300 },
      ],
    });
  });

  it('knows nothing if no test passed', () => {
    expect(findUsual([])).toBeNull();
  });
});
