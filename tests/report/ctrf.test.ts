import { validate } from 'ctrf';
import { describe, expect, it } from 'vitest';
import { analysis } from '../../src/analysis.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { captured, journal } from './support/journal.js';
import { renderCtrf } from './support/rendered.js';

const RED = { name: 'the loop ends', passed: false, expected: 'an end', actual: 'none' };

const events = journal({
  end: { durationSeconds: 42.5 },
  tests: [
    { scenarioId: 'good', tier: 1, attempts: [{ durationSeconds: 1.2345, checks: [{}] }] },
    {
      scenarioId: 'bad',
      attempts: [{ outcome: 'failed', checks: [{}, RED], evidence: { stdout: captured('a\nb', 'stdout') } }],
    },
    {
      scenarioId: 'shaky',
      attempts: [{ outcome: 'failed', checks: [RED], durationSeconds: 2 }, { checks: [{}] }],
    },
    { scenarioId: 'broken', attempts: [{ outcome: 'error', evidence: null, error: 'disk full' }] },
    { scenarioId: 'left-out', skipped: 'logged out' },
    {
      scenarioId: 'known',
      knownIssue: { upTo: '2.10.1', reason: 'it forgets', link: 'issue-1', breaks: [] },
      attempts: [{ outcome: 'known-issue', checks: [RED] }],
    },
  ],
});
const document = JSON.parse(renderCtrf(buildReport(events, analysis)));
const test = (name: string) => document.results.tests.find((entry: { name: string }) => entry.name === name);

describe('report.ctrf.json', () => {
  it('fits the schema of CTRF', () => {
    expect(validate(document)).toMatchObject({ valid: true });
    // The check itself can fail: the schema allows no field that it does not know.
    expect(validate({ ...document, colour: 'red' })).toMatchObject({ valid: false });
  });

  it('counts everything, and the counts are those of the tests', () => {
    expect(document.results.summary).toMatchObject({
      tests: 6,
      passed: 2,
      failed: 2,
      skipped: 2,
      other: 0,
      flaky: 1,
    });
    expect(document.results.summary).toMatchObject({
      start: Date.parse('2026-01-20T14:30:00.000Z'),
      stop: Date.parse('2026-01-20T14:30:42.500Z'),
      duration: 42_500,
    });
    expect(document.results.environment).toMatchObject({
      appName: 'ralph',
      appVersion: '2.10.1',
      healthy: false,
    });
  });

  it('tells what broke, with the output in lines and where the files are', () => {
    expect(test('bad')).toMatchObject({
      status: 'failed',
      message: 'the loop ends: expected an end, got none',
      stdout: ['a', 'b'],
      suite: ['Tier 5: Hat Collections', 'claude'],
      steps: [{ status: 'passed' }, { name: 'the loop ends', status: 'failed' }],
    });
    expect(test('bad').extra.repeat_command).toContain('--test bad');
    expect(test('bad').extra.hypothesis).not.toBe('');
    expect(test('bad').attachments.map(({ path }: { path: string }) => path)).toEqual([
      '/repo/.e2e-tests/runs/run-1/hat-single-claude/1/stdout.log',
      '/repo/.e2e-tests/runs/run-1/hat-single-claude/1/stderr.log',
      '/repo/.e2e-tests/runs/run-1/hat-single-claude/1/evidence.json',
    ]);
    expect(test('good')).not.toHaveProperty('stdout');
  });

  it('keeps an error in the harness red, and its own word', () => {
    expect(test('broken')).toMatchObject({ status: 'failed', rawStatus: 'error', message: 'disk full' });
  });

  it('tells the attempts before the last one', () => {
    expect(test('shaky')).toMatchObject({
      status: 'passed',
      flaky: true,
      retries: 1,
      retryAttempts: [{ attempt: 1, status: 'failed', duration: 2000, message: 'the loop ends' }],
    });
    expect(test('good')).toMatchObject({ retries: 0, flaky: false, duration: 1235 });
  });

  it('tells why a test was skipped, and which issue is known', () => {
    expect(test('left-out')).toMatchObject({ status: 'skipped', message: 'logged out' });
    expect(test('known')).toMatchObject({ status: 'skipped', rawStatus: 'known-issue' });
    expect(test('known').message).toContain('it forgets');
  });
});
