import { join } from 'node:path';
import { expect, test } from 'vitest';
import { putFile } from '../../../../src/exec/files/make-folder.js';
import { findPluginFolder } from '../../../../src/kinds/conversation/plugins/marketplace.js';
import { tempFolder } from '../../../support/cli.js';

test.each(['commands/a.md', 'skills/a/SKILL.md', 'hooks/hooks.json', '.mcp.json', 'SKILL.md'])(
  'a folder with %s is a plugin',
  async (path) => {
    const root = tempFolder();
    putFile(join(root, 'p', path), '');
    expect(await findPluginFolder('p', root)).toBe(join(root, 'p'));
  },
);

test('a folder without any part is none', async () => {
  const root = tempFolder();
  putFile(join(root, 'p', 'README.md'), '');
  expect(await findPluginFolder('p', root)).toBeNull();
});
