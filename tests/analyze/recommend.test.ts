import { describe, expect, it } from 'vitest';
import { analysis } from '../../src/harness/analysis.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { journal, type RunStory } from '../report/support/journal.js';

const FILE = { name: 'the file contains "x"', category: 'FileContains', passed: false } as const;

function recommended(story: RunStory) {
  return buildReport(journal(story), analysis).recommendations;
}

describe('recommendations', () => {
  it('are not made when a real run has nothing to complain about', () => {
    expect(recommended({ tests: [{ attempts: [{ checks: [{}] }] }] })).toEqual([]);
  });

  it('put failures first, one for each cause, the frequent cause first', () => {
    const found = recommended({
      tests: [
        {
          scenarioId: 'slow',
          attempts: [{ outcome: 'failed', evidence: { exit: { kind: 'timed-out', afterSeconds: 9 } } }],
        },
        { scenarioId: 'a', attempts: [{ outcome: 'failed', checks: [FILE] }] },
        { scenarioId: 'b', attempts: [{ outcome: 'failed', checks: [FILE] }] },
        { scenarioId: 'c', skipped: 'logged out' },
      ],
    });
    expect(
      found.map(({ severity, category, affected_tests }) => [severity, category, affected_tests]),
    ).toEqual([
      ['Critical', 'assertion', ['a [claude]', 'b [claude]']],
      ['Critical', 'timeout', ['slow [claude]']],
      ['Warning', 'coverage', ['c']],
    ]);
  });

  it('warn of flaky tests', () => {
    const found = recommended({ tests: [{ attempts: [{ outcome: 'failed', checks: [FILE] }, {}] }] });
    expect(found).toMatchObject([
      { severity: 'Warning', category: 'flaky', affected_tests: ['hat-single [claude]'] },
    ]);
  });

  it('only inform when what was skipped need not pass', () => {
    const found = recommended({
      tests: [
        { priority: 'should', skipped: 'logged out' },
        { scenarioId: 'b', attempts: [{}] },
      ],
    });
    expect(found).toMatchObject([{ severity: 'Info', category: 'coverage', description: 'logged out' }]);
  });

  it('send to the gate that failed, not to doctor, for what was not tried because of it', () => {
    const reason = 'claude-connect failed, so the other scenarios of claude were not tried';
    const cause = { kind: 'gate-failed', gate: 'claude-connect' } as const;
    const found = recommended({
      tests: [
        { scenarioId: 'claude-connect', attempts: [{ outcome: 'failed', checks: [FILE] }] },
        { scenarioId: 'a', skipped: reason, cause },
        { scenarioId: 'b', skipped: reason, cause },
        { scenarioId: 'c', skipped: 'logged out' },
      ],
    });
    expect(found.slice(1)).toMatchObject([
      {
        category: 'coverage',
        title: 'Not tested on claude: 2',
        description: reason,
        affected_tests: ['a', 'b'],
        suggested_fix: expect.stringMatching(/^Make claude-connect pass/),
      },
      { description: 'logged out', affected_tests: ['c'], suggested_fix: expect.stringContaining('doctor') },
    ]);
  });

  it('do not send to doctor for what a run that broke off left undone', () => {
    const found = recommended({
      tests: [{ attempts: [{}] }, { scenarioId: 'b' }],
      end: { interrupted: true },
    });
    expect(found).toMatchObject([{ suggested_fix: expect.stringContaining('--last-failed') }]);
  });

  it('have the fix that fits each reason', () => {
    const skip = (scenarioId: string, needs: 'real-ralph' | 'scripted-lane' | 'live-lane') => ({
      ...{ scenarioId, skipped: `needs ${needs}` },
      cause: { kind: 'not-ready', needs } as const,
    });
    const fixes = recommended({
      run: { lane: 'sim' },
      tests: [
        { attempts: [{}] },
        skip('worktrees', 'real-ralph'),
        skip('server', 'scripted-lane'),
        skip('kiro-server', 'live-lane'),
      ],
    }).filter(({ title }) => title.startsWith('Not tested'));
    expect(fixes.map(({ affected_tests, suggested_fix }) => [affected_tests, suggested_fix])).toEqual([
      [['worktrees'], expect.stringMatching(/name a real ralph \(--ralph <path>\)\.$/)],
      [['server'], expect.stringContaining('--lane scripted')],
      [['kiro-server'], expect.stringContaining('--lane live')],
    ]);
  });

  it('tell first that an older ralph is another ralph', () => {
    const titles = (version: string, outcome: 'failed' | 'passed') =>
      recommended({
        run: { target: { kind: 'real', path: '/opt/ralph', version } },
        tests: [{ attempts: [{ outcome, checks: [{ passed: outcome === 'passed' }] }] }],
      }).map(({ title }) => title);
    expect(titles('2.9.0', 'failed')[0]).toMatch(/^ralph 2\.9\.0 is older than .* \(2\.10\.1\)$/);
    expect(titles('2.10.1', 'failed').join()).not.toContain('older');
    expect(titles('2.11.0-rc1', 'failed').join()).not.toContain('older');
    expect(titles('2.9.0', 'passed')).toEqual([]);
  });

  it('inform of room for improvement', () => {
    const termination = { reason: 'completed', status: '', iterations: 5, exitCode: 0 };
    const found = recommended({
      tests: [{ expectedIterations: 3, attempts: [{ evidence: { termination } }] }],
    });
    expect(found).toMatchObject([{ severity: 'Info', category: 'optimization' }]);
  });

  it('remind that a stand-in is not Ralph and that a simulated agent is no model', () => {
    const standIn = { kind: 'stand-in', path: '/x', version: '0.1.0' } as const;
    expect(
      recommended({ run: { target: standIn, lane: 'sim' }, tests: [{ attempts: [{}] }] })[0]?.title,
    ).toContain('Ralph itself was not tested');
    expect(recommended({ run: { lane: 'sim' }, tests: [{ attempts: [{}] }] })[0]?.title).toContain(
      'no real model was asked',
    );
  });
});
