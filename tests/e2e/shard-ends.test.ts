import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { runHarness } from '../../src/harness/harness.js';
import { runCli, tempFolder } from '../support/cli.js';
import { ENDING_CALL, type Ending, writeEndingRun } from '../support/ending-run.js';
import { type Behaviour, writeFakeAgents } from '../support/fake-agents.js';
import { liveRun } from '../support/live-run.js';

describe('a shard that ended early', () => {
  const shard = (index: number) => [...ENDING_CALL, '--shard', `${index}/2`, '--report', 'json,blob'];
  const merge = (cwd: string) =>
    runCli(['merge-reports', '.e2e-tests', 'other', '--output', 'merged', '--json'], { cwd });
  /** Runs both shards; the first, with the test `ending`, ends early. */
  const runBoth = async (ending: Ending, before?: (cwd: string) => Promise<unknown>) => {
    const cwd = writeEndingRun([ending]);
    await before?.(cwd);
    const [ended, other] = [
      await runCli(shard(1), { cwd }),
      await runCli([...shard(2), '--output', 'other'], { cwd }),
    ];
    expect(other.code).toBe(1);
    return { cwd, code: ended.code };
  };

  test('by Ctrl-C makes the merged run an interrupted one; resumed, it makes it whole', async () => {
    const { cwd, code } = await runBoth('SIGINT');
    expect(code).toBe(130);
    const cut = await merge(cwd);
    expect(cut.code).toBe(130);
    expect(reportSchema.parse(JSON.parse(cut.stdout))).toMatchObject({
      interrupted: true,
      resume_command: null,
      shards: [{ interrupted: true }, { interrupted: false }],
    });
    const resumed = await runCli(['resume'], { cwd });
    expect([resumed.code, resumed.stdout]).toEqual([
      0,
      expect.stringContaining('Part: shard 1 of 2: 2 of 4 tests'),
    ]);
    const whole = await merge(cwd);
    expect(whole.code).toBe(1);
    const report = reportSchema.parse(JSON.parse(whole.stdout));
    expect(report.results.map(({ scenario_id, outcome }) => `${scenario_id} ${outcome}`)).toEqual([
      'first passed',
      'failing failed',
      'ending passed',
      'last passed',
    ]);
    expect(report).toMatchObject({ interrupted: false, shards: [{ resumed: 1 }, { resumed: 0 }] });
  });

  test('by a kill has no blob until it is resumed, not even that of the run before', async () => {
    const call = ['claude', '--mock', '--test', 'claude-connect', '--shard', '1/2', '--report', 'blob'];
    const { cwd } = await runBoth('SIGKILL', async (folder) => {
      await runCli(call, { cwd: folder });
      expect(existsSync(join(folder, '.e2e-tests/blob-1-of-2.ralph-e2e'))).toBe(true);
    });
    expect(existsSync(join(cwd, '.e2e-tests/blob-1-of-2.ralph-e2e'))).toBe(false);
    await runCli(['resume', '-q'], { cwd });
    expect((await merge(cwd)).code).toBe(1);
  });
});

describe('a live shard whose part does not have the connect scenario of its backend', () => {
  async function runSecond(behaviour: Behaviour) {
    const folder = tempFolder();
    const bin = writeFakeAgents(join(folder, 'bin'), behaviour, { costUsd: 0.25 });
    const { report } = await runHarness({
      ...liveRun(folder, bin),
      catalogue,
      backends: ['claude'],
      filters: ['/^(?:claude-connect|claude-single-iter)$/'],
      shard: { index: 2, total: 2 },
    });
    return report;
  }

  const outcomes = (results: Awaited<ReturnType<typeof runSecond>>['results']) =>
    results.map(({ scenario_id, outcome, skip_cause }) => [scenario_id, outcome, skip_cause?.kind]);

  test('runs it first, and nothing else if it fails', async () => {
    const { results, passed } = await runSecond('does nothing');
    expect(outcomes(results)).toEqual([
      ['claude-connect', 'failed', undefined],
      ['claude-single-iter', 'skipped', 'gate-failed'],
    ]);
    expect(passed).toBe(false);
  });

  test('goes on if it passes, and has its result', async () => {
    const { results, run_errors } = await runSecond('adds numbers');
    expect(results.map(({ scenario_id }) => scenario_id)).toEqual(['claude-connect', 'claude-single-iter']);
    expect(results[1]?.outcome).not.toBe('skipped');
    expect(run_errors).toEqual([]);
  });
});
