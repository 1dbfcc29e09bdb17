import { expect, test } from 'vitest';
import { Workspace } from './support.js';

test('the version says what it is', async () => {
  expect(await new Workspace().run({ argv: ['--version'] })).toMatchObject({
    code: 0,
    stdout: 'ralph 2.10.1 (ralph-e2e stand-in)\n',
  });
});

test.each([
  ['a command', ['doctor'], 'does not support `ralph doctor`'],
  ['waves', ['wave', 'emit', 'x'], 'does not support `ralph wave`'],
  ['a backend', ['run', '-p', 'x', '-b', 'kiro-acp'], "does not support the backend 'kiro-acp'"],
])('%s that is not played is refused by name', async (_, argv, message) => {
  const run = await new Workspace().run({ argv });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(message);
});
