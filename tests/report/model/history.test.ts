import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../../src/domain/journal.js';
import { expectTimes, type RunSummary, runSummarySchema } from '../../../src/domain/report/history.js';
import { analysis } from '../../../src/harness/analysis.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { summarizeRun } from '../../../src/report/model/history.js';
import { journal, type RunStory } from '../support/journal.js';
import { renderHtml, renderMarkdown } from '../support/rendered.js';

const usage = (costUsd: number) => ({
  usage: { model: 'm', turns: 1, inputTokens: 1, outputTokens: 1, costUsd },
});
const spent = (usd: number) => ({ calls: 1, tokens: null, usd, estimatedUsd: 0 });
const RED = { passed: false };
const tests: RunStory['tests'] = [
  { scenarioId: 'good', attempts: [{ evidence: usage(0.25), spending: spent(0.25) }] },
  {
    scenarioId: 'shaky',
    attempts: [
      { outcome: 'failed', checks: [RED], evidence: usage(0.5), spending: spent(0.5) },
      { evidence: usage(1), spending: spent(1) },
    ],
  },
  { scenarioId: 'bad', attempts: [{ outcome: 'failed', checks: [RED], evidence: null, error: null }] },
  {
    scenarioId: 'known',
    knownIssue: { upTo: '2', reason: 'r', link: 'l', breaks: [], shows: {} },
    attempts: [{ outcome: 'known-issue', checks: [RED] }],
  },
  { scenarioId: 'left-out', skipped: 'why not' },
];
const BUDGET = {
  estimate: { tests: 4, calls: 4, tokens: 1, usd: 1, seconds: 1, measured: 0, unpriced: [] },
  maxUsd: null,
};
const EARLIER = {
  run_id: 'earlier',
  timestamp: 't',
  ralph_version: '2.9.0',
  passed: true,
  total: 4,
  passed_tests: 4,
  pass_rate: 1,
  duration_seconds: 61,
  cost_usd: 2,
};

function withHistory(runs: (typeof EARLIER)[], run: RunStory['run'] = {}): JournalEvent[] {
  const [started, ...rest] = journal({ run, tests });
  if (!started) throw new Error('a first record expected');
  return [started, { type: 'history-known', at: 't', runs, expected: [] }, ...rest];
}

describe('report.history', () => {
  it('ends with this run: what passed of what could pass, and the cost of every attempt', () => {
    const { history } = buildReport(withHistory([EARLIER], { budget: BUDGET }));
    expect(history).toHaveLength(2);
    expect(history[0]).toEqual(EARLIER);
    expect(history[1]).toMatchObject({
      run_id: 'run-1',
      passed: false,
      total: 3,
      passed_tests: 2,
      pass_rate: 2 / 3,
      duration_seconds: 42,
      cost_usd: 1.75,
    });
  });

  it('knows no cost where nobody is paid, and no rate where nothing ran', () => {
    expect(buildReport(withHistory([], { lane: 'scripted' })).history[0]?.cost_usd).toBeNull();
    const nothing = buildReport(journal({ tests: [{ skipped: 'logged out' }] }));
    expect(nothing.history).toMatchObject([{ pass_rate: null, total: 0, cost_usd: null }]);
  });

  it('of a run whose tests were all skipped or known issues: nothing passed or failed', () => {
    const [, , , known] = tests;
    const report = buildReport(journal({ tests: known === undefined ? [] : [known] }));
    expect(report.history).toMatchObject([{ pass_rate: null, total: 0 }]);
    const markdown = renderMarkdown({ ...report, history: [EARLIER, ...report.history] });
    expect(markdown).toContain('| `run-1` (this run) | 2.10.1 | nothing passed or failed | 42.0s | - |');
  });
});

it('the summary of a run holds what later runs ask for', () => {
  const summary = summarizeRun(buildReport(withHistory([EARLIER]), analysis));
  expect(runSummarySchema.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary);
  expect(summary).toMatchObject({ run_id: 'run-1', lane: 'live', target_kind: 'real', pass_rate: 2 / 3 });
  expect(summary?.tests).toHaveLength(5);
  expect(summary?.tests[0]).toMatchObject({
    scenario_id: 'good',
    backend: 'claude',
    outcome: 'passed',
    duration_seconds: 1.5,
    counts: { counted: 1, passed: 1, flips: 0 },
    measured: {
      model: 'm',
      values: {
        duration_seconds: 1.5,
        iterations_used: 1,
        events_emitted: 0,
        tool_calls: 0,
        tokens_estimated: 2,
        cost_usd: 0.25,
      },
    },
  });
  const measured = summary?.tests.filter((entry) => entry.measured !== undefined);
  expect(measured?.map(({ scenario_id }) => scenario_id)).toEqual(['good']);
});

describe('what is expected of a test, by its earlier passes', () => {
  /** A run that came before, as it left its summary. */
  function earlierRun(durationSeconds: number, story: Partial<RunStory['tests'][number]> = {}): RunSummary {
    const attempts = [{ durationSeconds, evidence: usage(0.25) }];
    const summary = summarizeRun(
      buildReport(journal({ tests: [{ scenarioId: 'good', attempts, ...story }] }), analysis),
    );
    if (summary === null) throw new Error('a summary expected');
    return summary;
  }

  function reportAfter(runs: RunSummary[], durationSeconds: number) {
    const attempts = [{ durationSeconds, evidence: usage(0.25) }];
    const [started, ...rest] = journal({ tests: [{ scenarioId: 'good', attempts }] });
    if (!started) throw new Error('a first record expected');
    return buildReport(
      [started, { type: 'history-known', at: 't', runs: [], expected: expectTimes(runs) }, ...rest],
      analysis,
    );
  }

  const steady = [10, 12, 11].map((seconds) => earlierRun(seconds));

  it('is not there yet after two passes; runs that failed, were flaky or another test do not count', () => {
    const failed = { attempts: [{ outcome: 'failed' as const, checks: [RED], durationSeconds: 1 }] };
    const flaky = { attempts: [...failed.attempts, { durationSeconds: 1, evidence: usage(0.25) }] };
    const others = [earlierRun(1, failed), earlierRun(1, flaky), earlierRun(1, { scenarioId: 'else' })];
    const kiro = earlierRun(1, { backend: 'kiro' });
    const report = reportAfter([...steady.slice(1), ...others, kiro], 300);
    const markdown = renderMarkdown(report);
    expect(markdown).toContain('| Duration | 5m 00s | no expectation yet (2 of 3 earlier passes) | ℹ️ |');
    expect(renderHtml(report)).toContain('no expectation yet (2 of 3 earlier passes)');
    expect(report.results[0]?.analysis?.metrics.against_expected[0]).toMatchObject({ expected: null });
  });

  it('needs nothing from summaries of older versions, which did not measure', () => {
    const older = steady.map((run) => ({ ...run, tests: run.tests.map(({ measured, ...test }) => test) }));
    expect(older.map((run) => runSummarySchema.parse(run))).toHaveLength(3);
    expect(expectTimes(older)).toEqual([{ scenarioId: 'good', backend: 'claude', seconds: 11 }]);
  });
});
