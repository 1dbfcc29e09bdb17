import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JournalEvent } from '../../../src/domain/journal.js';
import { analysis } from '../../../src/harness/analysis.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { createTerminalReporter, type Verbosity } from '../../../src/report/terminal/terminal.js';
import { journal } from '../support/journal.js';

const RED = { passed: false, expected: '"BUILDER" in its words', actual: '"hello"' };

function printed(
  events: readonly JournalEvent[],
  verbosity: Verbosity = 'normal',
  stream = new PassThrough(),
): string {
  const reporter = createTerminalReporter({ stream, verbosity, color: false, now: () => 0 });
  for (const event of events) reporter.onEvent(event);
  reporter.finish(buildReport(events, analysis), ['.e2e-tests/report.md', '.e2e-tests/report.json']);
  return String(stream.read());
}

describe('on a terminal of 80 columns', () => {
  const name = 'the prompt of iteration 1 contains "Lay brick"';
  const actual = 'found in 0 of 1 prompt (2992 characters)';
  const run = {
    repeatWith: ['--lane', 'sim', '--ralph', 'embedded', '--output', '/tmp/a-folder-with-a-long-name'],
  };
  const tests = [
    { scenarioId: 'hat', attempts: [{ outcome: 'failed' as const, checks: [{ ...RED, name, actual }] }] },
    { scenarioId: 'left-out', skipped: 'needs a real ralph: the stand-in for it cannot do this (worktrees)' },
  ];
  const events = journal({ run, tests });
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const lines = printed(events, 'normal', stream).split('\n');

  it('cuts the end of what a failed check received, not what it expected', () => {
    const [line = ''] = lines.filter((text) => text.includes('; received: '));
    expect(line).toBe(`     ${name}; received: found in 0 of 1 …`);
  });

  it('breaks skips between words, and leaves the command to paste on one line', () => {
    const skip = lines.findIndex((line) => line.includes('⏭️'));
    expect(lines.slice(skip, skip + 2)).toEqual([
      '  ⏭️  1 test skipped on claude: needs a real ralph: the stand-in for it cannot',
      '      do this (worktrees)',
    ]);
    const command = lines[lines.indexOf('Run it again:') + 1];
    expect(command).toMatch(/^ {2}ralph-e2e claude --test .* --output \/tmp\/a-folder-with-a-long-name$/);
  });
});

describe('on a stream that is no terminal', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('says once a minute that a long test still runs, and leaves no timer behind', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stream = new PassThrough({ encoding: 'utf8' });
    let clock = 0;
    const reporter = createTerminalReporter({ stream, verbosity: 'normal', color: false, now: () => clock });
    const [started, begun, ended, finished] = journal({ tests: [{ attempts: [{}] }] });
    if (!started || !begun || !ended || !finished) throw new Error('four records expected');
    reporter.onEvent(started);
    expect(vi.getTimerCount()).toBe(0);
    reporter.onEvent(begun);
    stream.read();
    vi.advanceTimersByTime(59_000);
    expect(stream.read()).toBeNull();
    clock = 60_000;
    vi.advanceTimersByTime(1_000);
    expect(stream.read()).toBe('  … [0/1] 1:00 · hat-single [claude] (1:00, limit 5:00)\n');
    reporter.onEvent(ended);
    reporter.onEvent(finished);
    expect(vi.getTimerCount()).toBe(0);
  });
});
