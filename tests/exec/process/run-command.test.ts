// Starts programs, or takes seconds: in the project `whole`.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../../src/exec/process/run-command.js';
import { withGrowingLimit } from '../../support/growing-limit.js';
import { bundleFixture, fixture, isRunning, makePidsFile, makeTempDir, readPids } from '../support.js';

const env = { PATH: process.env.PATH ?? '' };

test('a command answers with its output and exit code', async () => {
  const cwd = makeTempDir();
  const good = await runCommand('sh', ['-c', 'echo out; echo err >&2'], { cwd, env, timeoutMs: 20_000 });
  expect(good).toEqual({
    ok: true,
    exitCode: 0,
    signal: null,
    stdout: 'out\n',
    stderr: 'err\n',
    timedOut: false,
  });
  const bad = await runCommand('sh', ['-c', 'echo no >&2; exit 4'], { cwd, env, timeoutMs: 20_000 });
  expect(bad).toMatchObject({ ok: false, exitCode: 4, stderr: 'no\n', timedOut: false });
});

test('what a command prints is kept byte for byte, also a byte order mark', async () => {
  const result = await runCommand('printf', ['\\357\\273\\277a\\n\\n'], {
    cwd: makeTempDir(),
    env,
    timeoutMs: 20_000,
  });
  expect(result.stdout).toBe('\ufeffa\n\n');
});

test('a command that floods is ended, and its result says so', async () => {
  const result = await runCommand('yes', [], { cwd: makeTempDir(), env, timeoutMs: 100_000 });
  expect(result).toMatchObject({ ok: false, timedOut: true });
  expect(result.stdout).toHaveLength(4 * 1024 * 1024);
});

test('a command for which there is no descriptor is a result, and the next one runs', async () => {
  const folder = makeTempDir();
  const program = await bundleFixture('exec', 'no-descriptors', folder);
  const script = 'ulimit -n 100 && exec "$0" "$1"';
  const result = await runCommand('sh', ['-c', script, process.execPath, program], {
    ...{ cwd: folder, env, timeoutMs: 100_000 },
  });
  expect(result).toMatchObject({ ok: true, stdout: '{"code":"EMFILE","after":true}', stderr: '' });
});

test('a command sees nothing of our environment', async () => {
  process.env.RUN_COMMAND_LEAK = 'leaked';
  try {
    const result = await runCommand('sh', ['-c', 'echo "[$RUN_COMMAND_LEAK]"'], {
      cwd: makeTempDir(),
      env,
      timeoutMs: 20_000,
    });
    expect(result.stdout).toBe('[]\n');
  } finally {
    delete process.env.RUN_COMMAND_LEAK;
  }
});

test('a missing command and a missing folder are results', async () => {
  const cwd = makeTempDir();
  const missing = await runCommand('no-such-program-anywhere', [], { cwd, env, timeoutMs: 20_000 });
  expect(missing).toMatchObject({ ok: false, exitCode: null, spawnError: { code: 'ENOENT' } });
  const nowhere = await runCommand('true', [], { cwd: join(cwd, 'gone'), env, timeoutMs: 20_000 });
  expect(nowhere).toMatchObject({ ok: false });
  expect(nowhere.spawnError?.message).toContain(join(cwd, 'gone'));
});

test('a command that nothing but KILL ends obeys its time limit, and nothing stays', () =>
  withGrowingLimit(async (seconds) => {
    const folder = makeTempDir();
    const pidsFile = makePidsFile(folder);
    const result = await runCommand('sh', [fixture('exec', 'stubborn.sh'), pidsFile], {
      cwd: folder,
      env,
      timeoutMs: seconds * 1000,
    });
    expect(result).toMatchObject({ ok: false, timedOut: true, stdout: 'printed before the timeout\n' });
    const pids = readPids(pidsFile);
    expect(pids).toHaveLength(6);
    expect(pids.filter(isRunning)).toEqual([]);
  }));

test('a command that leaves a child with its pipes answers at once', async () => {
  const result = await runCommand('sh', ['-c', 'sleep 1000 & echo $!'], {
    cwd: makeTempDir(),
    env,
    timeoutMs: 50_000,
  });
  expect(result).toMatchObject({ ok: true, timedOut: false });
  expect(isRunning(Number(result.stdout))).toBe(false);
});
