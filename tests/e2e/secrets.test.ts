import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('no kind of credential gets from any place into anything that the harness writes', () => {
  const script = fileURLToPath(new URL('../../scripts/secrets.mjs', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(stdout.split('\n').filter((line) => line.includes('LEAK'))).toEqual([]);
  const [, kinds, hidden] = /^(\d+) kinds in 12 places: (\d+) of \d+ hidden, 0 leaked/m.exec(stdout) ?? [];
  expect(Number(kinds)).toBeGreaterThan(100);
  // Where nothing was written, nothing is shown: names of files cannot have every text.
  expect(Number(hidden)).toBeGreaterThan(Number(kinds) * 11);
  expect(status).toBe(0);
});
