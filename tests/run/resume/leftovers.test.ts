import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { removeUnfinished } from '../../../src/run/resume/resume-run.js';
import { nameAttemptDir } from '../../../src/workspace/runs/runs.js';
import { makeTempDir } from '../../exec/support.js';

test('a link in the place of a folder of attempts is removed, and not what it leads to', async () => {
  const [path, outside] = [makeTempDir(), makeTempDir()];
  const run = { id: 'run-1', path };
  const folder = dirname(nameAttemptDir(run, 'hat', 'claude', 1));
  writeFileSync(join(outside, 'thesis.txt'), 'years');
  mkdirSync(dirname(folder), { recursive: true });
  symlinkSync(outside, folder);
  await removeUnfinished(run, [
    {
      type: 'attempt-started',
      at: '2026-01-01T00:00:00.000Z',
      scenarioId: 'hat',
      backend: 'claude',
      attempt: 1,
    },
  ]);
  expect(existsSync(join(outside, 'thesis.txt'))).toBe(true);
  expect(existsSync(folder)).toBe(false);
});
