import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../coverage/covers.js';
import { runCli } from '../support/cli.js';
import { connect, toAnswer } from './support/harness-client.js';

const SIM = { args: ['--lane', 'sim', '--ralph', 'embedded'] };

describe('the harness', () => {
  test('lists, runs and reports scenarios, and tells how far it is', async () => {
    const { ok, client } = await connect(SIM);
    const listed = await ok('list_scenarios', { filter: 'connect', backend: 'claude' });
    const [{ scenario_id }] = listed.scenarios;
    const told: number[] = [];
    // Not `onprogress`: the client forgets it with the answer, so it misses what came in the same chunk before it.
    client.setNotificationHandler('notifications/progress', ({ params }) => void told.push(params.progress));
    const run = toAnswer(
      await client.callTool(
        { name: 'run_scenario', arguments: { scenario_id, backend: 'claude' }, _meta: { progressToken: 1 } },
        { timeout: 120_000 },
      ),
    );
    expect(run).toMatchObject({
      failed: false,
      data: {
        passed: true,
        interrupted: false,
        results: [{ scenario_id, backend: 'claude', outcome: 'passed' }],
      },
    });
    expect(told).toEqual([0, 1]);
    const report = await ok('get_report', { run_id: run.data.run_id, max_characters: 200 });
    expect(report).toMatchObject({ run_id: run.data.run_id, passed: true, truncated: true });
    expect(report.content).toHaveLength(200);
    expect(JSON.parse((await ok('get_report', { format: 'json' })).content).run_id).toBe(run.data.run_id);
  });

  test('has a page for a failure, and says so where there is none', async () => {
    const { ok, call } = await connect(SIM);
    const [{ scenario_id }] = (await ok('list_scenarios', { filter: 'connect', backend: 'claude' }))
      .scenarios;
    const none = await call('get_failure', { scenario_id });
    expect(none).toMatchObject({ failed: true, data: { error_name: 'ReportNotFoundError' } });
    // Nothing ends in a millisecond.
    const run = await ok('run_scenario', { scenario_id, backend: 'claude', timeout_seconds: 0.001 });
    expect(run.passed).toBe(false);
    const failure = await ok('get_failure', { scenario_id });
    expect(failure).toMatchObject({ run_id: run.run_id, backend: 'claude', outcome: 'failed' });
    expect(failure.page).toContain(scenario_id);
    expect(failure.repeat_command).toContain(
      `claude --test ${scenario_id} --verbose --keep-workspace --keep-reports --lane sim --ralph embedded`,
    );
  });

  test('runs one scenario for an id that others begin with, and still finds the failures of earlier runs', async () => {
    const { ok, call } = await connect(SIM);
    const failing = { scenario_id: 'memory-injection', backend: 'claude', timeout_seconds: 0.001 };
    const first = await ok('run_scenario', failing);
    expect(first.results).toMatchObject([{ scenario_id: 'memory-injection', known_issue_gone: false }]);
    const second = await ok('run_scenario', { ...failing, scenario_id: 'memory-add' });
    expect(second.results).toHaveLength(1);
    expect(await ok('get_failure', { scenario_id: 'memory-injection' })).toMatchObject({
      run_id: first.run_id,
    });
    expect(await ok('get_failure', { scenario_id: 'memory-add' })).toMatchObject({ run_id: second.run_id });
    const named = await call('get_failure', { scenario_id: 'memory-injection', run_id: second.run_id });
    expect(named).toMatchObject({ failed: true, data: { error_name: 'ReportNotFoundError' } });
  });

  test('ends a run that is cancelled, and goes on', async () => {
    covers('A13');
    const { ok, client } = await connect(SIM);
    const cancel = new AbortController();
    const call = client.callTool(
      { name: 'run_scenario', arguments: { scenario_id: '*', backend: 'claude' } },
      { timeout: 120_000, signal: cancel.signal, onprogress: () => cancel.abort() },
    );
    await expect(call).rejects.toThrow();
    await expect
      .poll(
        async () => JSON.parse((await ok('get_report', { format: 'json', max_characters: 1e9 })).content),
        {
          timeout: 50_000,
        },
      )
      .toMatchObject({ interrupted: true });
  });

  test('keeps what it works with when the folder is cleaned beside it, and says no more when it has ended', async () => {
    const { ok, call, root, pid } = await connect(SIM);
    const page = { scenario_id: 'claude-connect', backend: 'claude' };
    await ok('run_scenario', page);
    const clean = async () => (await runCli(['clean'], { cwd: root })).stdout;
    const beside = await clean();
    expect(beside).toContain(`Kept the files of a running MCP server: process ${pid} `);
    expect(beside).not.toContain('did not make it');
    expect(readdirSync(join(root, '.e2e-tests/mcp'))).toEqual([`.in-use.${pid}`]);
    // Its folder is still there, and takes the next run.
    expect(await ok('run_scenario', page)).toMatchObject({ passed: true });
    expect((await call('get_report')).failed).toBe(false);
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => readdirSync(join(root, '.e2e-tests/mcp')), { timeout: 30_000 }).toEqual([]);
    await clean();
    expect(existsSync(join(root, '.e2e-tests'))).toBe(false);
  });
});
