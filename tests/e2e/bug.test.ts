import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { callCli, tempFolder } from '../support/cli.js';

const RALPH = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

/** A scenario, a fault of the stand-in that it catches, and whether shell can say what it checks. */
const BROKEN = [
  { id: 'claude-connect', fault: 'wrong-exit-code', faulty: 1, healthy: 0 },
  { id: 'memory-injection-none', fault: 'inject-always', faulty: 1, healthy: 0 },
  { id: 'hat-catch-all', fault: 'catch-all-first', faulty: 1, healthy: 0 },
  { id: 'hat-max-activations', fault: 'ignore-max-activations', faulty: 1, healthy: 0 },
  { id: 'emit-command', fault: 'lose-events', faulty: 2, healthy: 2 },
] as const;

describe('a reproduction', () => {
  test.each(BROKEN)(
    'of $fault exits with $faulty with the fault and with $healthy without it',
    async ({ id, fault, faulty, healthy }) => {
      const cwd = tempFolder();
      const env = { RALPH_STANDIN_FAULT: fault };
      await callCli(
        ['claude', '--mock', '--ralph', 'embedded', '--test', id, '--env', 'RALPH_STANDIN_FAULT'],
        {
          cwd,
          env,
        },
      );
      expect(await callCli(['show', '--bug', id], { cwd })).toMatchObject({
        code: 0,
        stdout: `bugs/${id}/run.sh\n`,
      });
      expect(reproduce(join(cwd, 'bugs', id), env)).toBe(faulty);
      expect(reproduce(join(cwd, 'bugs', id))).toBe(healthy);
    },
  );
});

describe('show --bug', () => {
  test('wants one test, or all, and refuses a test that passed', async () => {
    const cwd = tempFolder();
    await callCli(['claude', '--mock', '--ralph', 'embedded', '--test', 'claude-connect'], { cwd });
    const show = async (...args: string[]) => await callCli(['show', ...args], { cwd });
    expect(await show('--bug')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected the name of a test, or --all'),
    });
    expect(await show('--bug', 'claude-connect', '--all')).toMatchObject({ code: 2 });
    expect(await show('--bug', 'claude-connect')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('failed or has a known issue'),
    });
  });
});

/** Runs a reproduction without anything of ours on PATH. */
function reproduce(folder: string, env: Readonly<Record<string, string>> = {}): number | null {
  const { status } = spawnSync('sh', [join(folder, 'run.sh'), RALPH], {
    env: { PATH: process.env.PATH, TMPDIR: tempFolder(), ...env },
  });
  return status;
}
