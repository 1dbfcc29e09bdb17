import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Report, reportSchema } from '../../src/domain/report.js';
import { bareSystemPath, runCli, tempFolder } from '../support/cli.js';
import { type Behaviour, writeFakeAgents } from '../support/fake-agents.js';

/** A live run, the default lane, with fakes on PATH where the real CLIs would be. */
async function runLive(args: readonly string[], agents: { behaviour: Behaviour; loggedIn?: boolean } | null) {
  const cwd = tempFolder();
  const bin = join(cwd, 'bin');
  if (agents !== null) writeFakeAgents(bin, agents.behaviour, agents);
  const result = await runCli(['--ralph', 'embedded', '--json', ...args], {
    cwd,
    env: { PATH: `${bin}:${bareSystemPath()}`, RALPH_STANDIN_TIME_SCALE: '0.01' },
  });
  const report: Report | null = result.stdout === '' ? null : reportSchema.parse(JSON.parse(result.stdout));
  return { ...result, report };
}

/** The tiers of the first hour: small, and the same on every backend. */
const CONNECT = '/^(?:claude|kiro|opencode|codex|gemini|pi)-connect$/';
const TIER_2 =
  '/^(?:(?:claude|kiro|opencode|codex|gemini|pi)-single-iter|claude-multi-iter|claude-completion)$/';
const TIER_7 = '/^(?:timeout-handling|max-iterations|auth-failure|backend-unavailable)$/';

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
    for (const { skip_reason } of report?.results ?? []) expect(skip_reason).toMatch(/not authenticated/);
    expect(report?.passed).toBe(false);
    expect(code).toBe(2);
  });

  test('takes a credential variable where there is no login, and names it', async () => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers', { loggedIn: false });
    const { code, stdout } = await runCli(
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
    }
    expect(code).toBe(1);
  });

  test.each<Behaviour>(['does nothing', 'echoes its prompt'])(
    'lets no scenario pass with an agent that %s',
    async (behaviour) => {
      const filters = [TIER_2, TIER_7].flatMap((filter) => ['--filter', filter]);
      const tiers = await runLive([...filters, '--env', 'RALPH_STANDIN_TIME_SCALE'], { behaviour });
      const connect = await runLive(['--filter', CONNECT, '--env', 'RALPH_STANDIN_TIME_SCALE'], {
        behaviour,
      });
      const results = [...(connect.report?.results ?? []), ...(tiers.report?.results ?? [])];
      expect(results).toHaveLength(20);
      const passed = results.filter((result) => result.passed).map(({ scenario_id }) => scenario_id);
      // In this one no agent takes part: ralph is given a backend that does not exist.
      expect(new Set(passed)).toEqual(new Set(['backend-unavailable']));
    },
  );

  describe.each(['codex', 'gemini', 'pi'])('%s, which is run by name', (backend) => {
    test('passes what it plays', async () => {
      const { code, report } = await runLive([backend, '--filter', CONNECT], { behaviour: 'adds numbers' });
      expect(report?.results.map(({ scenario_id, outcome }) => [scenario_id, outcome])).toEqual([
        [`${backend}-connect`, 'passed'],
      ]);
      expect(code).toBe(0);
    });

    test('is skipped when it is logged out', async () => {
      const agents = { behaviour: 'adds numbers', loggedIn: false } as const;
      const { code, report } = await runLive([backend], agents);
      for (const { skip_reason } of report?.results ?? []) expect(skip_reason).toMatch(/not authenticated/);
      expect(code).toBe(2);
    });

    test.each<Behaviour>(['does nothing', 'echoes its prompt'])(
      'passes nothing when it %s',
      async (behaviour) => {
        const run = (filter: string) =>
          runLive([backend, '--filter', filter, '--env', 'RALPH_STANDIN_TIME_SCALE'], { behaviour });
        const results = [await run(CONNECT), await run(TIER_2)].flatMap(({ report }) => report?.results);
        expect(results.map((result) => result?.outcome)).toEqual(['failed', 'failed']);
      },
    );
  });
});
