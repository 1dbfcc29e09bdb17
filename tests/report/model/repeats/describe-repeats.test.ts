import { describe, expect, test } from 'vitest';
import { analysis } from '../../../../src/analysis.js';
import { exitCodeOf } from '../../../../src/cli/exit-codes.js';
import type { Fault } from '../../../../src/domain/fault.js';
import { reportSchema } from '../../../../src/domain/report/report.js';
import { buildReport } from '../../../../src/report/model/build-report.js';
import { summarizeRun } from '../../../../src/report/model/history.js';
import { journal, type RunStory } from '../../support/journal.js';

type Attempt = NonNullable<RunStory['tests'][number]['attempts']>[number];

const of = (whose: Fault['whose']): Attempt => ({ outcome: 'failed', fault: { whose, because: [] } });
const LETTERS: Readonly<Record<string, Attempt>> = {
  p: {},
  r: of('target'),
  a: of('agent'),
  s: of('infrastructure'),
  e: { outcome: 'error', error: 'the disk is full' },
  k: { outcome: 'known-issue' },
};

/** A run of one test, one letter for each repeat: passed, Ralph, agent, service, error, known issue. */
function run(
  repeats: string,
  {
    lane = 'live',
    threshold = null,
    times = repeats.length,
    ...story
  }: {
    readonly lane?: 'live' | 'sim';
    readonly threshold?: number | null;
    readonly times?: number;
    readonly skipped?: string;
  } = {},
) {
  const attempts = [...repeats].map((letter, index) => ({ ...LETTERS[letter], repeat: index + 1 }));
  const events = journal({ run: { lane, repeat: { times, threshold } }, tests: [{ attempts, ...story }] });
  const report = reportSchema.parse(buildReport(events, analysis));
  const [result] = report.results;
  if (result?.repeats == null || report.repeat === null) throw new Error('The report has no repeats.');
  return { report, result, repeats: result.repeats, totals: report.repeat, code: exitCodeOf(report) };
}

describe('a test that is repeated', () => {
  test('passes if every repeat does, with a rate and an interval', () => {
    const { report, result, repeats, code } = run('pppppppppp');
    expect([result.outcome, report.passed, code]).toEqual(['passed', true, 0]);
    expect(repeats).toMatchObject({ planned: 10, ran: 10, counted: 10, passed: 10, rate: 1, flips: 0 });
    expect(repeats.interval?.low).toBeCloseTo(0.7225, 4);
    expect(repeats.interval?.high).toBeCloseTo(1, 12);
    expect(report.verdict).toBe('the only test passed, 10 times each');
  });

  test.each([
    ['ps', 'the service'],
    ['kee', 'the harness, beside a known issue'],
  ])('%s is not green: repeats do not count because of %s', (repeats) => {
    expect(run(repeats).code).toBe(2);
  });

  test('fails with one failed repeat, also if it is not the last', () => {
    const { result, repeats, code } = run('pprpp');
    expect([result.outcome, code]).toEqual(['failed', 1]);
    expect(repeats).toMatchObject({ rate: 0.8, flips: 2 });
    expect(repeats.failures).toMatchObject([{ repeat: 3, attempt: 3, whose: 'target' }]);
  });

  test('is inconclusive if all failures are those of the agent', () => {
    const { result, code } = run('ppapp');
    expect([result.outcome, result.inconclusive, code]).toEqual(['failed', true, 2]);
  });

  test('does not count a repeat whose service failed', () => {
    const { result, repeats } = run('ppsp');
    expect(result.outcome).toBe('passed');
    expect(repeats).toMatchObject({ ran: 4, counted: 3, passed: 3, rate: 1, flips: 0 });
  });

  test('is an error if the harness failed once', () => {
    expect(run('ppep').result.outcome).toBe('error');
  });

  test('is diagnosed from one repeat, and graded without retries', () => {
    expect(run('pprpp').result.diagnosis).not.toBeNull();
    expect(run('ppp').result.analysis?.metrics.retries_needed).toBe(0);
  });

  test('whose repeats did not all run is not a pass', () => {
    const { report, repeats, totals, code } = run('pp', {
      times: 5,
      skipped: 'not run: --max-cost was reached',
    });
    expect(repeats.left_reason).toBe('not run: --max-cost was reached');
    expect([totals.incomplete, report.passed, code]).toEqual([1, false, 2]);
    expect(report.verdict).toContain('1 test without all repeats');
  });
});

describe('an offline lane', () => {
  test('reports a flip as a defect, and no threshold excuses it', () => {
    const { report, result, repeats, code } = run(`${'p'.repeat(20)}r${'p'.repeat(40)}`, {
      lane: 'sim',
      threshold: 0.8,
      times: 80,
    });
    expect([result.outcome, repeats.defect, code]).toEqual(['failed', true, 1]);
    expect(report.verdict).toContain(
      '1 test differs from repeat to repeat offline, a defect of Ralph or of ralph-e2e',
    );
  });

  test('fails on a known issue that does not occur every time', () => {
    const { report, result, code } = run('kkpk', { lane: 'sim' });
    expect([result.outcome, report.passed, code]).toEqual(['known-issue', false, 1]);
  });

  test('has no defect if every repeat fails alike', () => {
    expect(run('rrr', { lane: 'sim' }).repeats.defect).toBe(false);
  });
});

describe('a threshold', () => {
  test.each([
    ['pppppppppp', 'passed', 0],
    ['pppprppppp', 'flaky', 0],
    ['ppppappppp', 'flaky', 0],
    ['pprpprpppp', 'failed', 1],
    ['ppappapppp', 'failed', 1],
  ] as const)('of 0.9 lets 9 of 10 pass and fails fewer, whoever caused it: %s', (repeats, outcome, code) => {
    const { report, result } = run(repeats, { threshold: 0.9 });
    expect([result.outcome, result.inconclusive, report.passed, exitCodeOf(report)]).toEqual([
      outcome,
      false,
      code === 0,
      code,
    ]);
  });

  test('counts exactly: 7 of 100 are 0.07', () => {
    expect(run(`${'p'.repeat(7)}${'r'.repeat(93)}`, { threshold: 0.07 }).code).toBe(0);
    expect(run(`${'p'.repeat(6)}${'r'.repeat(94)}`, { threshold: 0.07 }).code).toBe(1);
  });

  test('says in the verdict how many repeats passed', () => {
    expect(run('p'.repeat(10), { threshold: 0.9 }).report.verdict).toBe(
      'the only test passed, in at least 0.9 of 10 repeats each',
    );
    expect(run(`r${'p'.repeat(9)}`, { threshold: 0.9 }).report.verdict).toBe(
      'the only test passed, in at least 0.9 of 10 repeats each, 1 of them not every time',
    );
  });

  test.each([
    ['p'.repeat(10), 'enough passed'],
    ['ppr', 'enough could still pass'],
  ])('gives no verdict after %s, while repeats are missing: %s', (repeats) => {
    const { report, totals, code } = run(repeats, {
      ...{ times: 11, threshold: 0.9 },
      skipped: 'not run: --max-cost was reached',
    });
    expect([report.passed, totals.incomplete, code]).toEqual([false, 1, 2]);
    expect(report.verdict).toBe('the only test passed; 1 test without all repeats');
  });

  test('fails a test whose missing repeats could not help', () => {
    const { repeats, code } = run('prr', { times: 10, threshold: 0.9 });
    expect([repeats.below_threshold, code]).toEqual([true, 1]);
  });

  test('does not count a repeat whose service failed, and gives no verdict without it', () => {
    expect(run(`s${'p'.repeat(9)}`, { threshold: 0.9 }).code).toBe(2);
  });

  test('does not judge a known issue', () => {
    const { result, repeats, code } = run('kkkk', { threshold: 0.9 });
    expect([result.outcome, repeats.below_threshold, code]).toEqual(['known-issue', false, 0]);
  });
});

describe('the spread', () => {
  test('covers iterations, time, tokens and cost', () => {
    const attempts = [1, 3, 2].map((seconds, index) => ({
      repeat: index + 1,
      durationSeconds: seconds,
      spending: { calls: 1, tokens: 100 * seconds, usd: seconds / 10, estimatedUsd: 0 },
    }));
    const story = { run: { repeat: { times: 3, threshold: null } }, tests: [{ attempts }] };
    const report = buildReport(journal(story), analysis);
    expect(report.results[0]?.repeats?.spread).toEqual({
      iterations: { least: 1, median: 1, most: 1, count: 3 },
      seconds: { least: 1, median: 2, most: 3, count: 3 },
      tokens: { least: 100, median: 200, most: 300, count: 3 },
      cost_usd: { least: 0.1, median: 0.2, most: 0.3, count: 3 },
    });
    // Later runs estimate one repeat, not the sum of three.
    const [test] = summarizeRun(report)?.tests ?? [];
    expect(test).toMatchObject({ duration_seconds: 2, counts: { counted: 3, passed: 3, flips: 0 } });
    expect(test?.spent?.usd).toBeCloseTo(0.2);
    expect(test?.spent?.seconds).toBeCloseTo(2);
  });
});

test('a run without --repeat has no repeats', () => {
  const report = buildReport(journal({ tests: [{ attempts: [{}] }] }), analysis);
  expect([report.repeat, report.results[0]?.repeats]).toEqual([null, null]);
});
