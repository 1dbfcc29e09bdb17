import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { CLI, tempFolder } from '../support/cli.js';

/** Runs a command where there is no network but an idle loopback. */
function runWithoutNetwork(cwd: string, ...command: string[]) {
  return spawnSync('unshare', ['--net', '--map-root-user', ...command], { encoding: 'utf8', cwd });
}

const canUnshare = runWithoutNetwork(tmpdir(), 'true').status === 0;

test.skipIf(!canUnshare)('the catalogue runs in a network namespace without any route', () => {
  const { status, stdout } = runWithoutNetwork(tempFolder(), process.execPath, CLI, '--mock', '--quiet');
  expect(stdout).toMatch(/PASSED/);
  expect(status).toBe(0);
});
