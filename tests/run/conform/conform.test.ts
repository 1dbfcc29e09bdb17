// Starts programs, or takes seconds: in the project `whole`.
import { describe, expect, test } from 'vitest';
import { compareObservations } from '../../../src/run/conform/compare.js';
import { runCli, tempFolder } from '../../support/cli.js';

function observe(events: unknown[], more: object = {}) {
  return { exitCode: 0, stderr: '', events, files: {}, ...more };
}

describe('the comparison of a stand-in with the real program', () => {
  test('is over the union of the fields; what only one side has is a difference', () => {
    const ours = observe([{ type: 'result', same: 1, different: 1, only_ours: true }]);
    const theirs = observe([{ type: 'result', same: 1, different: 2, only_theirs: true }]);
    const { fields, differences } = compareObservations([ours], [theirs]);
    // exit code, stderr, type, same, different, only_ours, only_theirs
    expect(fields).toBe(7);
    expect(differences.map(({ field, standIn, real }) => [field, standIn, real])).toEqual([
      ['different', '1', '2'],
      ['only_theirs', undefined, 'true'],
      ['only_ours', 'true', undefined],
    ]);
  });

  test('an event that one side does not have costs all its fields, and shifts no other', () => {
    const init = { type: 'system', subtype: 'init', cwd: '/w' };
    const denied = { type: 'system', subtype: 'permission_denied', message: 'no' };
    const { differences } = compareObservations([observe([init])], [observe([denied, init])]);
    expect(differences.map(({ field }) => field)).toEqual(['type', 'subtype', 'message']);
  });

  test('ids, times and durations count by their kind alone', () => {
    const event = (uuid: string, timestamp: string, duration_ms: number) => ({
      type: 'x',
      uuid,
      timestamp,
      duration_ms,
    });
    const one = event('11111111-2222-4333-8444-555555555555', '2026-01-01T00:00:00.000Z', 1);
    const other = event('21111111-2222-4333-8444-555555555555', '2026-02-01T00:00:00.000Z', 2);
    expect(compareObservations([observe([one])], [observe([other])]).differences).toEqual([]);
    const wrong = { ...one, uuid: 'constant' };
    expect(compareObservations([observe([wrong])], [observe([other])]).differences).toHaveLength(1);
  });

  test('exit codes, stderr and files are fields too', () => {
    const ours = observe([], { exitCode: 1, stderr: 'oops', files: { 'a.txt': 'x' } });
    const { differences } = compareObservations([ours], [observe([], { files: { 'a.txt': 'y' } })]);
    expect(differences.map(({ field }) => field)).toEqual(['exit code', 'stderr', 'file a.txt']);
  });

  test.each([
    [['kiro'], /conform kiro: expected claude/],
    [
      ['claude', '--executable', '/nosuch/claude'],
      /--executable \/nosuch\/claude: expected an executable, found none/,
    ],
    [['claude', '--min', 'many'], /--min many: expected a number/],
  ])('conform %j says what is wrong', async (args, message) => {
    const { code, stderr } = await runCli(['conform', ...args], { cwd: tempFolder() });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
