import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { Workspace } from '../support.js';

test('a lock whose owner is gone does not count', async () => {
  const { pid } = spawnSync('true');
  const workspace = new Workspace({ '.ralph/agent/memories.md.lock.held': String(pid) });
  const run = await workspace.run({ argv: ['tools', 'memory', 'add', 'kept'] });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(workspace.read('.ralph/agent/memories.md')).toContain('> kept');
});
