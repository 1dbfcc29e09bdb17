import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/harness/analysis.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { createTerminalReporter, type Verbosity } from '../../../src/report/terminal/terminal.js';
import { journal, type RunStory } from '../support/journal.js';

function printed(
  tests: RunStory['tests'],
  {
    columns = 80,
    verbosity = 'normal',
    color = false,
  }: { columns?: number; verbosity?: Verbosity; color?: boolean } = {},
): string[] {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns });
  const reporter = createTerminalReporter({ stream, verbosity, color, now: () => 0 });
  const events = journal({ tests });
  for (const event of events) if (event.type !== 'attempt-started') reporter.onEvent(event);
  reporter.finish(buildReport(events, analysis), ['report.md'], '.e2e-tests');
  return String(stream.read()).split('\n');
}

const broken = (name: string, rest = {}) => ({
  name,
  passed: false,
  expected: `what ${name} expects, in more words than fit on one line of a terminal that is eighty columns wide`,
  actual: 'something else',
  ...rest,
});

describe('many failures of one cause', () => {
  const tests = Array.from({ length: 28 }, (_, index) => ({
    scenarioId: `hat-number-${index}`,
    attempts: [
      { outcome: 'failed' as const, checks: [broken('one'), broken('two'), broken('three'), broken('four')] },
    ],
  }));

  it('take two lines each while they run, and about a screen at the end', () => {
    const lines = printed(tests);
    const end = lines.findIndex((line) => line.startsWith('━'), 5);
    const summary = lines.slice(lines.lastIndexOf('━'.repeat(26)));
    expect(end).toBeGreaterThan(0);
    expect(summary.length).toBeLessThanOrEqual(40);
    expect(lines.length).toBeLessThanOrEqual(28 * 2 + 55);
  });

  it('are told once: one test with three checks and its page, the names of all, one command for all', () => {
    const lines = printed(tests);
    expect(lines).toContain('1 cause, 28 failed tests');
    expect(lines.filter((line) => line.trim().startsWith('Expected:'))).toHaveLength(3);
    expect(lines).toContain('       and 1 more failed check');
    expect(lines).toContain('       Read on: .e2e-tests/report/failures/hat-number-0-claude.md');
    const end = lines.join(' ').replace(/\s+/g, ' ').split('28 tests on claude:')[1] ?? '';
    for (const { scenarioId } of tests) expect(end).toContain(scenarioId);
    expect(lines.filter((line) => line.includes('--last-failed'))).toHaveLength(1);
  });

  it.each([80, 120])('fit on %i columns, but for paths and commands', (columns) => {
    const long = printed(tests, { columns }).filter((line) => line.length > columns);
    expect(long.filter((line) => !/Read on:|Run them again:|Report written to:/.test(line))).toEqual([]);
  });
});

it('puts the failed checks in the order of the run, not of the scenario', () => {
  const checks = [
    broken('the loop completes', { category: 'TerminationReason' }),
    broken('the prompt of iteration 2', { category: 'PromptContent', about: { iteration: 2 } }),
    broken('the prompt of iteration 1', { category: 'PromptContent', about: { iteration: 1 } }),
  ];
  const lines = printed([{ scenarioId: 'a', attempts: [{ outcome: 'failed', checks }] }]);
  expect(lines.filter((line) => line.includes('✗')).map((line) => line.trim())).toEqual([
    '✗ the prompt of iteration 1',
    '✗ the prompt of iteration 2',
    '✗ the loop completes',
  ]);
  expect(lines).toContain('     the prompt of iteration 1; received: something else');
});

it('paints what was expected green and what was received red', () => {
  const lines = printed([{ scenarioId: 'a', attempts: [{ outcome: 'failed', checks: [broken('one')] }] }], {
    color: true,
  });
  expect(lines.find((line) => line.includes('Expected:') && !line.includes('❌'))).toContain('\u001b[32m');
  expect(lines.findLast((line) => line.includes('Received:'))).toContain('\u001b[31m');
});
