import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { CLI, tempFolder } from '../support/cli.js';

/** Runs a command where there is no network but an idle loopback. */
function runWithoutNetwork(cwd: string, ...command: string[]) {
  return spawnSync('unshare', ['--net', '--map-root-user', ...command], { encoding: 'utf8', cwd });
}

const canUnshare = runWithoutNetwork(tmpdir(), 'true').status === 0;

// Conversations are held without a route in conversations.test.ts.
test.skipIf(!canUnshare).each([
  [
    'what claude has a part in',
    ['claude', ...[1, 2, 3, 4, 5, 6, 7].flatMap((tier) => ['--filter', `tier ${tier}`])],
  ],
  ['every backend', ['all', '--filter', 'tier 1', '--filter', 'tier 2']],
])('the catalogue runs in a network namespace without any route: %s', (_, selection) => {
  const call = [
    process.execPath,
    CLI,
    ...selection,
    '--mock',
    '--ralph',
    'embedded',
    '--quiet',
    '--skip-analysis',
  ];
  const { status, stdout } = runWithoutNetwork(tempFolder(), ...call);
  expect(stdout).toMatch(/PASSED/);
  expect(status).toBe(0);
});
