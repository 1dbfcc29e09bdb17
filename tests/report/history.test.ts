import { describe, expect, it } from 'vitest';
import { runSummarySchema } from '../../src/domain/history.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import { buildReport } from '../../src/report/build-report.js';
import { summarizeRun } from '../../src/report/history.js';
import { journal, type RunStory } from './support/journal.js';
import { renderMarkdown } from './support/rendered.js';

const usage = (costUsd: number) => ({
  usage: { model: 'm', turns: 1, inputTokens: 1, outputTokens: 1, costUsd },
});
const RED = { passed: false };
const tests: RunStory['tests'] = [
  { scenarioId: 'good', attempts: [{ evidence: usage(0.25) }] },
  {
    scenarioId: 'shaky',
    attempts: [{ outcome: 'failed', checks: [RED], evidence: usage(0.5) }, { evidence: usage(1) }],
  },
  { scenarioId: 'bad', attempts: [{ outcome: 'failed', checks: [RED], evidence: null, error: null }] },
  {
    scenarioId: 'known',
    knownIssue: { upTo: '2', reason: 'r', link: 'l', breaks: [] },
    attempts: [{ outcome: 'known-issue', checks: [RED] }],
  },
  { scenarioId: 'left-out', skipped: 'why not' },
];
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
    const { history } = buildReport(withHistory([EARLIER]));
    expect(history).toHaveLength(2);
    expect(history[0]).toEqual(EARLIER);
    expect(history[1]).toMatchObject({
      run_id: 'run-1',
      passed: false,
      total: 4,
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

  it('is a table in report.md once there is something to compare with', () => {
    expect(renderMarkdown(buildReport(withHistory([])))).not.toContain('History');
    const markdown = renderMarkdown(buildReport(withHistory([EARLIER])));
    expect(markdown).toContain('## 📈 History');
    expect(markdown).toContain('| `earlier` | 2.9.0 | 4 of 4 (100 %) | 1m 01s | $2.0000 |');
    expect(markdown).toContain('| `run-1` (this run) | 2.10.1 | 2 of 4 (67 %) | 42.0s | $1.7500 |');
  });
});

it('the summary of a run holds what later runs ask for', () => {
  const summary = summarizeRun(buildReport(withHistory([EARLIER])));
  expect(runSummarySchema.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary);
  expect(summary).toMatchObject({ run_id: 'run-1', lane: 'live', target_kind: 'real', pass_rate: 2 / 3 });
  expect(summary?.tests).toHaveLength(5);
  expect(summary?.tests[0]).toEqual({
    scenario_id: 'good',
    backend: 'claude',
    outcome: 'passed',
    duration_seconds: 1.5,
  });
});
