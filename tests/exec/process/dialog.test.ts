import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDialog } from '../../../src/exec/process/dialog.js';
import { makeTempDir } from '../support.js';

test('a process whose output can be kept nowhere is not started, and who waits for it is told', async () => {
  const folder = makeTempDir();
  writeFileSync(join(folder, 'file'), '');
  const { started, ended } = openDialog({
    command: process.execPath,
    args: ['--version'],
    cwd: folder,
    env: {},
    timeoutMs: 60_000,
    stdoutPath: join(folder, 'file', 'stdout'),
    stderrPath: join(folder, 'stderr'),
    secrets: [],
    marker: { name: 'TEST_DIALOG', value: folder },
    onLine: () => {},
  });
  await expect(ended).rejects.toThrow(join(folder, 'file'));
  expect(await started).toBeNull();
});
