import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { analysis } from '../../../src/analysis.js';
import type { JournalEvent } from '../../../src/domain/journal.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { createTerminalReporter, type Verbosity } from '../../../src/report/terminal/terminal.js';
import { iteration, journal, readiness } from '../support/journal.js';

const RED = {
  name: 'the agent says "BUILDER"',
  category: 'OutputContains',
  passed: false,
  expected: '"BUILDER" in its words',
  actual: '"hello"',
} as const;
const STAND_IN = { kind: 'stand-in', path: '/dist/ralph', version: '0.1.0' } as const;

function printed(events: readonly JournalEvent[], verbosity: Verbosity = 'normal', color = false): string {
  const stream = new PassThrough();
  const reporter = createTerminalReporter({ stream, verbosity, color, now: () => 0 });
  for (const event of events) reporter.onEvent(event);
  reporter.finish(buildReport(events, analysis), ['.e2e-tests/report.md', '.e2e-tests/report.json']);
  return String(stream.read());
}

const mixed = journal({
  tests: [
    { scenarioId: 'claude-connect', tier: 1, attempts: [{ durationSeconds: 12.34, checks: [{}] }] },
    {
      scenarioId: 'hat-instructions',
      attempts: [
        {
          outcome: 'failed',
          durationSeconds: 75,
          checks: [{}, RED],
          evidence: {
            iterations: [iteration({ hat: 'builder', said: 'hello' })],
            events: [
              {
                topic: 'build.done',
                payload: 'ok',
                timestamp: 't',
                hat: null,
                iteration: 1,
                source: 'agent',
              },
            ],
          },
        },
      ],
    },
  ],
});

describe('a run on a stream that is no terminal', () => {
  it('tells header, tiers, results with durations, the verdict and where the reports are', () => {
    const lines = printed(mixed).split('\n');
    const order = [
      '🧪 E2E Test Harness v0.1.0',
      'Target: ralph 2.10.1 (/opt/ralph)',
      'Lane: live (real CLIs, real models)',
      'Backend: Claude (claude 2.1.0)',
      'Auth: ✅ Authenticated (CLI login)',
      'Running 2 tests (2 scenarios)...',
      'Tier 1: Connectivity',
      '  ✅ claude-connect (12.3s)',
      'Tier 5: Hat Collections',
      '  ❌ hat-instructions [claude] (1m 15s)',
      '     the agent says "BUILDER"; received: "hello"',
      '1 cause, 1 failed test',
      '       ✗ the agent says "BUILDER"',
      '         Expected: "BUILDER" in its words',
      '         Received: "hello"',
      '🔴 FAILED: 1 of 2 tests failed - action required',
      'Report written to: .e2e-tests/report.md',
      'Report written to: .e2e-tests/report.json',
    ];
    expect(lines.filter((line) => order.includes(line))).toEqual(order);
  });

  it('does not show assertions that held, nor how a test ran', () => {
    expect(printed(mixed)).not.toContain('the loop completes');
    expect(printed(mixed)).not.toContain('iteration 1');
  });

  it('gives the command that repeats the only failure', () => {
    expect(printed(mixed)).toContain(
      'Run it again: ralph-e2e claude --test hat-instructions --verbose --keep-workspace --keep-reports\n',
    );
  });

  it('says in header and summary that a stand-in was tested', () => {
    const text = printed(journal({ run: { target: STAND_IN, lane: 'sim' }, tests: [{ attempts: [{}] }] }));
    expect(text).toContain('Target: stand-in ralph 0.1.0, a test double: Ralph itself is not tested');
    expect(text).toMatch(/🟢 PASSED: .*stand-in \(Ralph itself was not tested\)/);
    expect(
      printed(journal({ run: { target: STAND_IN }, tests: [{ attempts: [{ outcome: 'failed' }] }] })),
    ).toContain('🔴 FAILED: the only test failed on the stand-in (Ralph itself was not tested)');
  });

  it('tells skips once for each reason and backend', () => {
    const kiro = readiness({
      backend: 'kiro',
      ready: false,
      available: false,
      reason: 'kiro-cli is not on PATH',
      fix: 'Install kiro',
    });
    const text = printed(
      journal({
        run: { backends: [readiness(), kiro] },
        tests: [
          { scenarioId: 'a', attempts: [{}] },
          { scenarioId: 'b', backend: 'kiro', skipped: 'kiro-cli is not on PATH' },
          { scenarioId: 'c', backend: 'kiro', skipped: 'kiro-cli is not on PATH' },
          { scenarioId: 'd', skipped: 'connect failed' },
        ],
      }),
    );
    expect(text.match(/⏭️ {2}\d.*/g)).toEqual([
      '⏭️  2 tests skipped on kiro: kiro-cli is not on PATH',
      '⏭️  1 test skipped on claude: connect failed',
    ]);
    expect(text).toContain(
      'Backend: Kiro (never run with a real login) (claude 2.1.0) ⏭️  kiro-cli is not on PATH\n  └─ Install kiro',
    );
    expect(text).toContain('Running 2 of 4 tests (4 scenarios)...');
  });

  it('is neither green nor red when nothing ran', () => {
    const text = printed(journal({ tests: [{ skipped: 'logged out' }] }));
    expect(text).toContain('🟠 nothing was tested');
    expect(text).not.toMatch(/PASSED|FAILED/);
  });

  it('shows an error in the harness apart from a failure', () => {
    const text = printed(
      journal({ tests: [{ attempts: [{ outcome: 'error', evidence: null, error: 'disk full' }] }] }),
    );
    expect(text).toContain('  💥 hat-single [claude]');
    expect(text).toContain('     error: disk full');
    expect(text).toContain('💥 ERROR: the only test could not be carried out - action required\n');
    expect(text).not.toContain('FAILED');
  });

  it('has colours only when asked for', () => {
    expect(printed(mixed, 'normal', false)).not.toContain('\u001b[');
    expect(printed(mixed, 'normal', true)).toContain('\u001b[31m');
  });
});

it('quiet prints the summary line and what failed, nothing else', () => {
  expect(printed(mixed, 'quiet')).toBe(
    [
      '🔴 FAILED: 1 of 2 tests failed - action required',
      '1 cause, 1 failed test',
      '  ❌ The agent received its instructions, but did not follow them, or did something else.',
      '     1 test on claude: hat-instructions',
      '',
    ].join('\n'),
  );
  const broken = journal({
    tests: [{ attempts: [{ outcome: 'error', evidence: null, error: 'disk full' }] }],
  });
  expect(printed(broken, 'quiet')).toBe(
    [
      '💥 ERROR: the only test could not be carried out - action required',
      '1 cause, 1 failed test',
      '  💥 The harness or the machine failed, not the target: disk full',
      '     1 test on claude: hat-single',
      '',
    ].join('\n'),
  );
});

it('verbose adds every assertion, the command line, iterations and events', () => {
  const text = printed(mixed, 'verbose');
  expect(text).toContain('     ✓ the loop completes');
  expect(text).toContain('     $ /opt/ralph run -c ralph.yml --no-tui -P prompt.md');
  expect(text).toContain('     iteration 1 [builder]: 0 tool calls, said "hello"');
  expect(text).toContain('     event build.done by agent: ok');
  expect(text).toContain('     ended: exit 0, completed');
});

describe('on a terminal', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What ora needs of a TTY. */
  function fakeTerminal(columns = 60) {
    const control = {
      isTTY: true,
      columns,
      cursorTo: () => true,
      clearLine: () => true,
      moveCursor: () => true,
    };
    const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), control);
    let seen = '';
    stream.on('data', (chunk) => {
      seen += chunk;
    });
    const waitFor = async (text: string) => {
      while (!seen.includes(text)) await new Promise((resolve) => stream.once('data', resolve));
    };
    return { stream, waitFor, seen: () => seen };
  }

  it('spins with what runs and since when, and leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const { stream, waitFor, seen } = fakeTerminal(80);
    let clock = 0;
    const reporter = createTerminalReporter({ stream, verbosity: 'normal', color: false, now: () => clock });
    const [started, begun, ended, finished] = journal({ tests: [{ attempts: [{}] }] });
    if (!started || !begun || !ended || !finished) throw new Error('four records expected');
    reporter.onEvent(started);
    reporter.onEvent(begun);
    await waitFor('[0/1] ░░░░░░░░░░░░ 0:00 · hat-single [claude]');
    clock = 65_000;
    vi.advanceTimersByTime(200);
    await waitFor('[0/1] ░░░░░░░░░░░░ 1:05 · hat-single [claude] (1:05, limit 5:00)');
    reporter.onEvent(ended);
    reporter.onEvent(finished);
    reporter.finish(buildReport([started, begun, ended, finished]), []);
    await waitFor('PASSED');
    expect(vi.getTimerCount()).toBe(0);
    expect(seen()).toContain('  ✅ hat-single [claude] (1.5s)');
  });

  it('does not animate on a terminal without a size, where ora would draw for ever', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const { stream, waitFor, seen } = fakeTerminal(0);
    const reporter = createTerminalReporter({ stream, verbosity: 'normal', color: false, now: () => 0 });
    for (const event of journal({ tests: [{ attempts: [{}] }], end: null })) reporter.onEvent(event);
    await waitFor('  ✅ hat-single [claude] (1.5s)');
    const before = seen();
    vi.advanceTimersByTime(5_000);
    expect(seen()).toBe(before);
    reporter.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps the progress line when quiet, and nothing but it until the verdict', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const { stream, waitFor, seen } = fakeTerminal(80);
    const reporter = createTerminalReporter({ stream, verbosity: 'quiet', color: false, now: () => 0 });
    for (const event of journal({
      tests: [{ attempts: [{}] }, { unfinished: true, scenarioId: 'b' }],
      end: null,
    }))
      reporter.onEvent(event);
    await waitFor('[1/2]');
    expect(seen()).not.toMatch(/✅|Tier|Target/);
    reporter.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('can be stopped without a report', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    const { stream, waitFor } = fakeTerminal();
    const reporter = createTerminalReporter({ stream, verbosity: 'verbose', color: true, now: () => 0 });
    for (const event of journal({ tests: [{ unfinished: true }], end: null })) reporter.onEvent(event);
    await waitFor('[0/1]');
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    reporter.stop();
    reporter.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
