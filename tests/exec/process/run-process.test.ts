// Starts programs, or takes seconds: in the project `whole`.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { joinHeadAndTail } from '../../../src/exec/process/capture.js';
import { type ProcessOptions, runProcess } from '../../../src/exec/process/run-process.js';
import { withGrowingLimit } from '../../support/growing-limit.js';
import {
  endMarkedAfterTest,
  fixture,
  isRunning,
  listMarked,
  makePidsFile,
  makeTempDir,
  readPids,
} from '../support.js';

function optionsFor(command: string, args: readonly string[], folder = makeTempDir()): ProcessOptions {
  const marker = { name: 'RUN_PROCESS_TEST', value: randomUUID() };
  endMarkedAfterTest(marker);
  return {
    command,
    args,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    timeoutMs: 30_000,
    stdoutPath: join(folder, 'out', 'stdout'),
    stderrPath: join(folder, 'out', 'stderr'),
    secrets: [],
    marker,
  };
}

const shell = (script: string, ...args: string[]) => optionsFor('sh', ['-c', script, 'sh', ...args]);

describe('a process that ends by itself', () => {
  test('gives its exit code and its output, on disk and in memory', async () => {
    const options = shell('echo out; echo err >&2; exit 3');
    const result = await runProcess(options);
    expect(result).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      interrupted: false,
      leftBehind: [],
    });
    expect(result.stdout).toMatchObject({ bytes: 4, head: 'out\n', tail: '', truncated: false });
    expect(readFileSync(options.stdoutPath, 'utf8')).toBe('out\n');
    expect(readFileSync(options.stderrPath, 'utf8')).toBe('err\n');
    expect(result.pid).toBeGreaterThan(1);
  });

  test('gives the signal that it died of', async () => {
    const result = await runProcess(shell('kill -SEGV $$'));
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGSEGV', timedOut: false });
  });

  test('sees only the environment that it was given, and an empty stdin', async () => {
    const result = await runProcess({
      ...shell('cat; env'),
      env: { PATH: process.env.PATH ?? '', ONE: '1' },
    });
    const names = result.stdout.head.split('\n').map((line) => line.split('=')[0]);
    const shellsOwn = ['PWD', 'OLDPWD', 'SHLVL', '_', ''];
    expect(names.filter((name) => !shellsOwn.includes(name ?? '')).sort()).toEqual([
      'ONE',
      'PATH',
      'RUN_PROCESS_TEST',
    ]);
  });

  test('keeps every byte, and shows what is not UTF-8 as replacement characters', async () => {
    const options = shell("printf '\\377\\000\\303(ok'");
    const result = await runProcess(options);
    expect([...readFileSync(options.stdoutPath)]).toEqual([0xff, 0, 0xc3, 0x28, 0x6f, 0x6b]);
    expect(result.stdout.head).toBe('\ufffd\0\ufffd(ok');
  });

  test('keeps both ends of a long output in memory and all of it on disk', async () => {
    const options = shell('echo first; head -c 1000000 /dev/zero | tr "\\0" x; echo; echo last');
    const { stdout } = await runProcess(options);
    expect(stdout).toMatchObject({ bytes: 1_000_012, truncated: true, omittedBytes: 1_000_012 - 2 * 65_536 });
    expect(stdout.head).toMatch(/^first\nx+$/);
    expect(stdout.tail).toMatch(/^x+\nlast\n$/);
    expect(readFileSync(options.stdoutPath, 'utf8')).toBe(`first\n${'x'.repeat(1_000_000)}\nlast\n`);
    expect(joinHeadAndTail(stdout)).toContain(
      `x\n… 868940 bytes omitted, all of it in ${options.stdoutPath} …\nx`,
    );
  });

  test('scrubs secrets from file and memory, also one that comes in two pieces', async () => {
    const options = shell(
      'printf "a hunter2-"; sleep 0.2; echo "hunter2 b"; echo key sk-ant-api03-abcdefgh >&2',
    );
    const result = await runProcess({ ...options, secrets: ['hunter2-hunter2'] });
    expect(result.stdout).toMatchObject({ head: 'a [redacted] b\n', bytes: 20 });
    expect(readFileSync(options.stdoutPath, 'utf8')).toBe('a [redacted] b\n');
    expect(readFileSync(options.stderrPath, 'utf8')).toBe('key [redacted]\n');
  });
});

describe('a process that cannot start', () => {
  test('is a result, not an exception', async () => {
    const missing = await runProcess(optionsFor('no-such-program-anywhere', []));
    expect(missing).toMatchObject({ pid: null, exitCode: null, spawnError: { code: 'ENOENT' } });
    expect(missing.spawnError?.message).toBe(
      'no-such-program-anywhere is not an executable file in any folder on PATH',
    );

    const folder = makeTempDir();
    writeFileSync(join(folder, 'plain'), 'text', { mode: 0o644 });
    const plain = await runProcess(optionsFor(join(folder, 'plain'), []));
    expect(plain.spawnError?.message).toContain('is not executable');

    const nowhere = await runProcess({ ...optionsFor('true', []), cwd: join(folder, 'missing') });
    expect(nowhere.spawnError?.message).toBe(`the working folder ${join(folder, 'missing')} does not exist`);

    const badArgument = await runProcess(optionsFor('true', ['a\0b']));
    expect(badArgument.spawnError?.message).toContain('cannot contain null bytes');
  });
});

describe('a process that does not end', () => {
  test('is ended with everything it started, whatever that does to escape', () =>
    withGrowingLimit(async (seconds) => {
      const folder = makeTempDir();
      const pidsFile = makePidsFile(folder);
      const options = {
        ...optionsFor('sh', [fixture('exec', 'stubborn.sh'), pidsFile], folder),
        timeoutMs: seconds * 1000,
      };
      const result = await runProcess(options);
      expect(result).toMatchObject({
        timedOut: true,
        interrupted: false,
        signal: 'SIGKILL',
        leftBehind: [],
        survivors: [],
      });
      expect(result.stdout.head).toBe('printed before the timeout\n');
      expect(result.stderr.head).toBe('so was this\n');
      const pids = readPids(pidsFile);
      expect(pids).toHaveLength(6);
      expect(pids.filter(isRunning)).toEqual([]);
      expect(listMarked(options.marker)).toEqual([]);
    }));

  test('gets the grace period to end in order', () =>
    withGrowingLimit(async (seconds) => {
      const options = shell('trap "echo tidied; exit 5" TERM; echo ready; while :; do sleep 0.05; done');
      const result = await runProcess({ ...options, timeoutMs: seconds * 1000, graceMs: 20_000 });
      expect(result).toMatchObject({ timedOut: true, exitCode: 5, stdout: { head: 'ready\ntidied\n' } });
    }));

  test('is ended when it is interrupted', async () => {
    const options = shell('echo ready; touch ready; exec sleep 1000');
    const controller = new AbortController();
    const running = runProcess({ ...options, signal: controller.signal });
    await vi.waitFor(() => expect(existsSync(join(options.cwd, 'ready'))).toBe(true), 20_000);
    controller.abort();
    const result = await running;
    expect(result).toMatchObject({
      interrupted: true,
      timedOut: false,
      signal: 'SIGTERM',
      stdout: { head: 'ready\n' },
    });
    expect(listMarked(options.marker)).toEqual([]);
  });

  test('is not even started when the run is interrupted already', async () => {
    const options = shell('touch started');
    const result = await runProcess({ ...options, signal: AbortSignal.abort() });
    expect(result).toMatchObject({ interrupted: true, pid: null });
    expect(existsSync(join(options.cwd, 'started'))).toBe(false);
  });
});

describe('a process that leaves others behind', () => {
  test('has them named, scrubbed, and ended', async () => {
    const options = shell('setsid sh -c "sleep 1000; : hunter2-hunter2" & exit 0');
    const result = await runProcess({ ...options, secrets: ['hunter2-hunter2'], leftoverSettleMs: 100 });
    expect(result).toMatchObject({ exitCode: 0, timedOut: false, survivors: [] });
    expect(result.leftBehind.map(({ command }) => command)).toContain('sh -c sleep 1000; : [redacted]');
    expect(result.leftBehind.filter(({ pid }) => isRunning(pid))).toEqual([]);
    expect(listMarked(options.marker)).toEqual([]);
  });

  test('is not blamed for those that go by themselves', async () => {
    const options = shell('(sleep 0.1; echo late) & exit 0');
    const result = await runProcess({ ...options, leftoverSettleMs: 20_000 });
    expect(result).toMatchObject({ exitCode: 0, leftBehind: [], stdout: { head: 'late\n' } });
  });
});
