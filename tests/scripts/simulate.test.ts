import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/simulate.mjs', import.meta.url));

test('the simulation keeps its promises, and the same seed prints the same', { timeout: 120_000 }, () => {
  const run = () =>
    spawnSync(process.execPath, [SCRIPT, '--seed', '7', '--rounds', '400'], { encoding: 'utf8' });
  const { stdout, stderr, status } = run();
  expect(stderr).toBe('');
  expect(stdout.match(/^ok {5}/gm)).toHaveLength(4);
  expect(status).toBe(0);
  expect(run().stdout).toBe(stdout);
});
