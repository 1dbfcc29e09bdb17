import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { bundleFixture, endMarkedAfterTest, isRunning, makeTempDir } from '../exec/support.js';

test('300 MB of output do not grow the harness', async () => {
  const folder = makeTempDir();
  const harness = await bundleFixture('exec', 'harness', folder);
  const bytes = 300_000_000;
  const { stdout } = await promisify(execFile)(process.execPath, [harness, 'flood', folder, String(bytes)]);
  const seen: { bytes: number; head: number; tail: number; grownKiB: number } = JSON.parse(stdout);
  expect(seen).toMatchObject({ bytes, head: 65_536, tail: 65_536 });
  expect(seen.grownKiB).toBeLessThan(120 * 1024);
});

test('a harness that exits in the middle takes its target with it', async () => {
  const folder = makeTempDir();
  const harness = await bundleFixture('exec', 'harness', folder);
  const child = spawn(process.execPath, [harness, 'dies', folder], { stdio: ['pipe', 'inherit', 'inherit'] });
  endMarkedAfterTest({ name: 'HARNESS_TEST', value: folder });
  const pidFile = join(folder, 'pid');
  await vi.waitFor(
    () => expect(existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/^\d+\n$/),
    20_000,
  );
  const pid = Number(readFileSync(pidFile, 'utf8'));
  expect(isRunning(pid)).toBe(true);
  child.stdin.write('now\n');
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(3);
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000);
});
