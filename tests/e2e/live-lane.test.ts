import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Report, reportSchema } from '../../src/domain/report/report.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';
import { type Behaviour, writeFakeAgents } from '../support/fake-agents.js';

/** A live run, the default lane, with fakes on PATH where the real CLIs would be. */
async function runLive(args: readonly string[], agents: { behaviour: Behaviour; loggedIn?: boolean } | null) {
  const cwd = tempFolder();
  const bin = join(cwd, 'bin');
  if (agents !== null) writeFakeAgents(bin, agents.behaviour, agents);
  const result = await callCli(['--ralph', 'embedded', '--json', ...args], {
    cwd,
    env: { PATH: `${bin}:${bareSystemPath()}`, RALPH_STANDIN_TIME_SCALE: '0.01' },
  });
  const report: Report | null = result.stdout === '' ? null : reportSchema.parse(JSON.parse(result.stdout));
  return { ...result, report };
}

/** Small, and the same on every backend. */
const CONNECT = '/^(?:claude|kiro|opencode|codex|gemini|pi)-connect$/';

describe('the live lane', () => {
  test('passes a scenario that the CLIs on PATH play', async () => {
    const { code, report } = await runLive(['--filter', CONNECT], { behaviour: 'adds numbers' });
    expect(report?.results.map(({ scenario_id, outcome }) => [scenario_id, outcome])).toEqual([
      ['claude-connect', 'passed'],
      ['kiro-connect', 'passed'],
      ['opencode-connect', 'passed'],
    ]);
    expect(report?.lane).toBe('live');
    expect(code).toBe(0);
  });

  test('skips CLIs that are logged out, with the reason, and is not green', async () => {
    const { code, report } = await runLive(['--filter', CONNECT], {
      behaviour: 'adds numbers',
      loggedIn: false,
    });
    expect(report?.results.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped', 'skipped']);
    for (const { skip_reason, skip_cause } of report?.results ?? []) {
      expect(skip_reason).toMatch(/not authenticated/);
      expect(skip_cause).toEqual({ kind: 'not-ready' });
    }
    expect(report?.passed).toBe(false);
    expect(code).toBe(2);
  });

  test('takes a credential variable where there is no login, and names it', async () => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers', { loggedIn: false });
    const { code, stdout } = await callCli(
      ['claude', '--ralph', 'embedded', '--json', '--filter', 'claude-connect'],
      {
        cwd,
        env: { PATH: `${bin}:${bareSystemPath()}`, ANTHROPIC_API_KEY: 'a-key-that-nobody-has' },
      },
    );
    const report = reportSchema.parse(JSON.parse(stdout));
    expect(code).toBe(0);
    expect(report.backends_tested[0]?.authentication_source).toBe('ANTHROPIC_API_KEY is set');
    expect(report.environment.env_vars.ANTHROPIC_API_KEY).toBe(true);
    expect(stdout).not.toContain('a-key-that-nobody-has');
  });

  test('skips CLIs that are not there, and exits 2', async () => {
    const { code, report } = await runLive([], null);
    expect(new Set(report?.results.map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));
    expect(report?.results[0]?.skip_reason).toMatch(/claude is not on PATH/);
    expect(code).toBe(2);
  });

  test('skips the other tiers of a backend that cannot be reached, whatever the order', async () => {
    const { code, report } = await runLive(['claude', '--shuffle', '1'], { behaviour: 'does nothing' });
    const [connect, ...others] = report?.results ?? [];
    expect(connect).toMatchObject({ scenario_id: 'claude-connect', outcome: 'failed' });
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) {
      expect(other.outcome).toBe('skipped');
      expect(other.skip_reason).toMatch(/claude-connect failed/);
      expect(other.skip_cause).toEqual({ kind: 'gate-failed', gate: 'claude-connect' });
    }
    expect(code).toBe(1);
  });

  test.each(['codex', 'gemini', 'pi'])('passes what %s plays, which is run by name', async (backend) => {
    const { code, report } = await runLive([backend, '--filter', CONNECT], { behaviour: 'adds numbers' });
    expect(report?.results.map(({ scenario_id, outcome }) => [scenario_id, outcome])).toEqual([
      [`${backend}-connect`, 'passed'],
    ]);
    expect(code).toBe(0);
  });
});
