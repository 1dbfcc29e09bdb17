import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { bareSystemPath, runCli, tempFolder } from '../support/cli.js';
import { type Behaviour, writeFakeAgents } from '../support/fake-agents.js';
import { requireProgram } from './programs.js';

const TIER_1 = '/^(?:claude|kiro|opencode)-connect$/';
const TIER_2 = '/^(?:(?:claude|kiro|opencode)-single-iter|claude-multi-iter|claude-completion)$/';
const TIER_7 = '/^(?:timeout-handling|max-iterations|auth-failure|backend-unavailable)$/';

/** Ralph has no part in conversations, which are the tiers above. */
const RALPHS_TIERS = [1, 2, 3, 4, 5, 6, 7].flatMap((tier) => ['--filter', `tier ${tier}`]);

const parse = (stdout: string) => reportSchema.parse(JSON.parse(stdout));

describe('the catalogue on the real ralph', () => {
  test('passes in the sim lane, and says that it is the real one', async () => {
    const cwd = tempFolder();
    // Each scenario on its first backend, and some on the others: all on all in .ci/nightly.
    // Strict: a known issue of ours that this ralph no longer has is a mistake in the catalogue.
    const ralph = ['--ralph', requireProgram('ralph'), '--fail-on=fixed-issue'];
    const args = ['--mock', '--json', '--suite', 'once', ...ralph, ...RALPHS_TIERS];
    const { code, stdout } = await runCli(args, { cwd });
    const report = parse(stdout);
    const known = (outcome: string) => outcome === 'passed' || outcome === 'known-issue';
    expect(report.results.filter(({ outcome }) => !known(outcome))).toEqual([]);
    expect(report.summary.skipped).toBe(0);
    expect(report.summary.passed).toBeGreaterThan(150);
    expect(report.target).toMatchObject({ kind: 'real', version: '2.10.1' });
    expect(code).toBe(0);
  });

  test.each<Behaviour>(['does nothing', 'echoes its prompt'])(
    'lets no scenario pass with an agent that %s',
    async (behaviour) => {
      const cwd = tempFolder();
      const bin = writeFakeAgents(join(cwd, 'bin'), behaviour);
      const env = { PATH: `${bin}:${bareSystemPath()}` };
      // Several at once: ralph waits five seconds wherever an echo of the prompt mentions `ralph emit`.
      // The connect scenarios gate the rest in the live lane: run them apart.
      const run = (output: string, ...filters: string[]) =>
        runCli(
          [
            '--ralph',
            requireProgram('ralph'),
            '--json',
            '--jobs',
            '6',
            '--output',
            output,
            ...filters.flatMap((filter) => ['--filter', filter]),
          ],
          { cwd, env },
        );
      const connect = parse((await run('one', TIER_1)).stdout);
      const others = parse((await run('two', TIER_2, TIER_7)).stdout);
      const results = [...connect.results, ...others.results];
      expect(results).toHaveLength(20);
      const passed = results.filter((result) => result.passed).map(({ scenario_id }) => scenario_id);
      expect(new Set(passed)).toEqual(new Set(['backend-unavailable']));
    },
  );
});

test('a ralph that shares its folder with other agent CLIs still reaches the stand-ins', async () => {
  const cwd = tempFolder();
  const bin = writeFakeAgents(join(cwd, 'bin'), 'does nothing');
  copyFileSync(requireProgram('ralph'), join(bin, 'ralph'));
  chmodSync(join(bin, 'ralph'), 0o755);
  const { code } = await runCli(
    ['claude', '--mock', '--ralph', join(bin, 'ralph'), '--filter', 'claude-connect'],
    { cwd },
  );
  expect(code).toBe(0);
});
