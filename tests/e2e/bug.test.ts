import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
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
      const broken = writeRalph(cwd, `RALPH_STANDIN_FAULT=${fault}`);
      await callCli(['claude', '--mock', '--ralph', broken, '--test', id], { cwd });
      expect(await callCli(['show', '--bug', id], { cwd })).toMatchObject({
        code: 0,
        stdout: `bugs/${id}/run.sh\n`,
        stderr: expect.stringContaining('with the path of a ralph'),
      });
      expect(reproduce(join(cwd, 'bugs', id), broken)).toBe(faulty);
      expect(reproduce(join(cwd, 'bugs', id), RALPH)).toBe(healthy);
    },
  );
});

describe('show --bug', () => {
  test('wants one test, or all, and refuses a test that passed', async () => {
    const cwd = tempFolder();
    await callCli(['claude', '--mock', '--ralph', writeRalph(cwd), '--test', 'claude-connect'], { cwd });
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

  test('refuses a run on the stand-in, which has no bug of Ralph', async () => {
    const cwd = tempFolder();
    const args = ['claude', '--mock', '--ralph', 'embedded', '--test', 'claude-connect'];
    await callCli(args, { cwd, env: { RALPH_STANDIN_FAULT: 'wrong-exit-code' } });
    for (const asked of ['claude-connect', '--all'])
      expect(await callCli(['show', '--bug', asked], { cwd })).toMatchObject({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringMatching(
          /^error: This run tested the stand-in, not Ralph: there is nothing to file\.\nRun it on a real Ralph first: `ralph-e2e --lane sim --ralph <path>.*`\.\n$/,
        ),
      });
    expect(existsSync(join(cwd, 'bugs'))).toBe(false);
  });
});

/** Writes a program that does what the stand-in does and says that it is a Ralph. */
function writeRalph(folder: string, ...variables: readonly string[]): string {
  const path = join(folder, 'ralph');
  const call = ['env', ...variables, `'${RALPH}'`, '"$@"'].join(' ');
  writeFileSync(path, `#!/bin/sh\n[ "$1" != --version ] || { echo ralph 2.10.1; exit; }\nexec ${call}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Runs a reproduction without anything of ours on PATH. */
function reproduce(folder: string, ralph: string): number | null {
  const { status } = spawnSync('sh', [join(folder, 'run.sh'), ralph], {
    env: { PATH: process.env.PATH, TMPDIR: tempFolder() },
  });
  return status;
}
