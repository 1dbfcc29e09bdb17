import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JournalEvent } from '../../../src/domain/journal.js';
import { analysis } from '../../../src/harness/analysis.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { createTerminalReporter } from '../../../src/report/terminal/terminal.js';
import { INCONCLUSIVE } from '../../../src/report/words/outcomes.js';
import { journal } from '../support/journal.js';

function printed(events: readonly JournalEvent[], color = false): string {
  const stream = new PassThrough();
  const reporter = createTerminalReporter({ stream, verbosity: 'normal', color, now: () => 0 });
  for (const event of events) reporter.onEvent(event);
  reporter.finish(buildReport(events, analysis), ['.e2e-tests/report.md', '.e2e-tests/report.json']);
  return String(stream.read());
}

describe('a run on a stream that is no terminal', () => {
  it('is neither green nor red when nothing ran', () => {
    const text = printed(journal({ tests: [{ skipped: 'logged out' }] }));
    expect(text).toContain('🟠 nothing was tested');
    expect(text).not.toMatch(/🟢|🔴/u);
  });

  it('names what failed the last time in the words of the verdict', () => {
    const runs = [{ runId: 'run-0', failed: 1, inconclusive: 2, notRun: 0 }];
    const events = journal({ tests: [{ skipped: 'logged out' }] }).map((event) =>
      event.type === 'run-started' ? { ...event, lastFailed: { runs, unreadable: [] } } : event,
    );
    expect(printed(events)).toContain(`Last failed: 3 tests: 1 failed, 2 ${INCONCLUSIVE} in run-0\n`);
  });

  it('has colours only when asked for', () => {
    const failed = journal({ tests: [{ attempts: [{ outcome: 'failed', checks: [{ passed: false }] }] }] });
    expect(printed(failed, false)).not.toContain('\u001b[');
    expect(printed(failed, true)).toContain('\u001b[31m');
  });
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
