import { expect, test } from 'vitest';
import { analysis } from '../../../../src/harness/analysis.js';
import { buildReport } from '../../../../src/report/model/build-report.js';
import { summarizeRun } from '../../../../src/report/model/history.js';
import { type AttemptFields, journal } from '../../support/journal.js';

const repeated = (times: number, attempts: readonly AttemptFields[], skipped?: string) =>
  buildReport(
    journal({
      run: { repeat: { times, threshold: null } },
      tests: [
        {
          attempts: attempts.map((attempt, index) => ({ ...attempt, repeat: index + 1 })),
          ...(skipped === undefined ? {} : { skipped }),
        },
      ],
    }),
    analysis,
  );

test('a test is diagnosed from one repeat, and graded without retries', () => {
  expect(repeated(3, [{}, { outcome: 'failed' }, {}]).results[0]?.diagnosis).not.toBeNull();
  expect(repeated(3, [{}, {}, {}]).results[0]?.analysis?.metrics.retries_needed).toBe(0);
});

test('the journal says why not all repeats ran', () => {
  const reason = 'not run: --max-cost was reached';
  expect(repeated(5, [{}, {}], reason).results[0]?.repeats?.left_reason).toBe(reason);
});

test('the spread covers iterations, time, tokens and cost', () => {
  const report = repeated(
    3,
    [1, 3, 2].map((seconds) => ({
      durationSeconds: seconds,
      spending: { calls: 1, tokens: 100 * seconds, usd: seconds / 10, estimatedUsd: 0 },
    })),
  );
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

test('a run without --repeat has no repeats', () => {
  const report = buildReport(journal({ tests: [{ attempts: [{}] }] }), analysis);
  expect([report.repeat, report.results[0]?.repeats]).toEqual([null, null]);
});
