import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { CLI, tempFolder } from '../support/cli.js';

/** Runs a command where there is no network but an idle loopback. */
function runWithoutNetwork(cwd: string, ...command: string[]) {
  return spawnSync('unshare', ['--net', '--map-root-user', ...command], { encoding: 'utf8', cwd });
}

const canUnshare = runWithoutNetwork(tmpdir(), 'true').status === 0;

// The whole catalogue runs like this in .ci/nightly, and conversations in conversations.test.ts.
test.skipIf(!canUnshare)('the catalogue needs no network: a sample of every backend', () => {
  const call = [
    CLI,
    'all',
    '--suite',
    'smoke',
    '--mock',
    '--ralph',
    'embedded',
    '--quiet',
    '--skip-analysis',
  ];
  const { status, stdout } = runWithoutNetwork(tempFolder(), process.execPath, ...call);
  expect(stdout).toMatch(/PASSED/);
  expect(status).toBe(0);
});
