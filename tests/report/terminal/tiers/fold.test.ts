import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../../scenarios/index.js';
import { PRIMARY_BACKENDS } from '../../../../src/domain/backends.js';
import type { JournalEvent } from '../../../../src/domain/journal.js';
import { analysis } from '../../../../src/harness/analysis.js';
import { buildReport } from '../../../../src/report/model/build-report.js';
import { createTerminalReporter } from '../../../../src/report/terminal/terminal.js';
import { selectScenarios } from '../../../../src/run/select/select.js';
import { journal, readiness } from '../../support/journal.js';

function printed(events: readonly JournalEvent[], verbosity: 'folded' | 'normal' = 'folded'): string[] {
  const stream = new PassThrough();
  const reporter = createTerminalReporter({ stream, verbosity, color: false, now: () => 0 });
  for (const event of events) reporter.onEvent(event);
  reporter.finish(buildReport(events, analysis), ['.e2e-tests/report.md', '.e2e-tests/report.json']);
  return String(stream.read()).trimEnd().split('\n');
}

const tiersIn = (lines: readonly string[]) => lines.filter((line) => line.includes('Tier '));

const RED = {
  name: 'the agent says "BUILDER"',
  category: 'OutputContains',
  passed: false,
  expected: '"BUILDER" in its words',
  actual: '"hello"',
} as const;

describe('a folded run', () => {
  it('names the tiers in order, also if a test of an earlier one ends last', () => {
    const events = journal({
      tests: [
        { scenarioId: 'late', tier: 1, attempts: [{}] },
        { scenarioId: 'early', tier: 2, attempts: [{}] },
      ],
    });
    const [start, lateBegins, lateEnds, ...others] = events;
    const end = others.pop();
    const reordered = [start, lateBegins, ...others, lateEnds, end].filter((event) => event !== undefined);
    expect(tiersIn(printed(reordered)).map((line) => line.trim().split(':')[0])).toEqual([
      '✅ Tier 1',
      '✅ Tier 2',
    ]);
  });

  it('counts what has ended if the run breaks off', () => {
    const lines = printed(
      journal({
        tests: [
          { scenarioId: 'a', tier: 1, attempts: [{}] },
          { scenarioId: 'b', tier: 1, attempts: [{ outcome: 'error', interrupted: true }] },
          { scenarioId: 'c', tier: 2, skipped: 'not run: the run was interrupted' },
        ],
        end: { interrupted: true },
      }),
    );
    expect(tiersIn(lines)).toEqual([
      '  ✅ Tier 1: Connectivity        1 passed',
      '  ⏭️  Tier 2: Orchestration Loop  1 skipped',
    ]);
  });

  it('shows a failure as fully as a run that is not folded', () => {
    const events = journal({
      tests: [
        { scenarioId: 'a', tier: 5, attempts: [{}] },
        { scenarioId: 'b', tier: 5, attempts: [{ outcome: 'failed', checks: [{}, RED] }] },
      ],
    });
    const lines = printed(events);
    const red = printed(events, 'normal').filter((line) => /BUILDER|hello|❌|🔴|again:/.test(line));
    expect(red.length).toBeGreaterThan(6);
    const trimmed = lines.map((line) => line.trim());
    expect(red.filter((line) => !trimmed.includes(line.trim()))).toEqual([]);
    expect(lines).toContain('  ❌ Tier 5: Hat Collections  1 passed, 1 failed');
  });

  it('has the failures below the line of their tier, also of one that did not end', () => {
    const events = journal({
      tests: [
        { scenarioId: 'a', tier: 2, attempts: [{ outcome: 'failed', checks: [RED] }] },
        { scenarioId: 'b', tier: 2, attempts: [{}] },
        { scenarioId: 'c', tier: 3, attempts: [{ outcome: 'failed', checks: [RED], retryInSeconds: 0 }] },
      ],
    });
    const found = printed(events)
      .filter((line) => /^ +\S+ +(?:Tier|[ac] \[)/.test(line))
      .map((line) => line.split(/:| \[/)[0]);
    expect(found).toEqual(['  ❌ Tier 2', '    ❌ a', '  ⏹  Tier 3', '    ❌ c']);
  });

  it('has one line for all skips, with the reason that most of them have', () => {
    const skip = (scenarioId: string, skipped: string) => ({ scenarioId, skipped });
    const lines = printed(
      journal({
        tests: [
          skip('a', 'needs git'),
          skip('b', 'needs a real ralph (worktrees)'),
          skip('c', 'needs a real ralph (merges)'),
          { scenarioId: 'd', attempts: [{}] },
        ],
      }),
    );
    expect(lines.filter((line) => line.includes('needs'))).toEqual([
      '  ⏭️  3 tests skipped, 2 for this reason: needs a real ralph',
    ]);
  });
});

it('npm start takes at most 40 lines of 80 columns, if nothing fails', () => {
  const selected = selectScenarios(catalogue, {
    backends: PRIMARY_BACKENDS,
    lane: 'sim',
    filters: [],
    suite: 'once',
  });
  const events = journal({
    run: {
      lane: 'sim',
      target: { kind: 'stand-in', path: '/dist/ralph', version: '2.10.1' },
      backends: PRIMARY_BACKENDS.map((backend) =>
        readiness({ backend, version: '2.1.325 (Claude Code) (ralph-e2e stand-in)' }),
      ),
    },
    tests: selected.map(({ scenario, backend }, index) => ({
      ...{ scenarioId: scenario.id, backend, tier: scenario.tier, placed: scenario.placed },
      ...(index % 3 === 0 ? { skipped: `needs a real ralph (${scenario.id})` } : {}),
      ...(index % 3 === 1 ? { attempts: [{ outcome: 'known-issue' }] } : {}),
      ...(index % 3 === 2 ? { attempts: [{}] } : {}),
    })),
  });
  const rows = printed(events).map((line) => Math.max(1, Math.ceil(line.length / 80)));
  // npm prints four lines before the run, and the next steps are four more.
  expect(rows.reduce((sum, count) => sum + count, 8)).toBeLessThanOrEqual(40);
});
