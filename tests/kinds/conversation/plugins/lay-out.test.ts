import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layOutPlugins } from '../../../../src/kinds/conversation/plugins/lay-out.js';
import { tempFolder } from '../../../support/cli.js';

function createPlugin(): string {
  const folder = join(tempFolder(), 'mine');
  const files = ['.claude-plugin/plugin.json', 'commands/go.md', '.git/config', 'out/kept.md'];
  for (const path of [...files, 'out/.e2e-tests/other/file.txt']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '{}');
  }
  return folder;
}

describe('a plugin that is a folder', () => {
  test('is used where it is if the workspaces are elsewhere', async () => {
    const [plugin, output] = [createPlugin(), tempFolder()];
    expect(await layOutPlugins([plugin], join(output, 'plugins'), output)).toEqual([plugin]);
    expect(existsSync(join(output, 'plugins'))).toBe(false);
  });

  test('is copied without them if they are inside, because Claude Code protects all that is below it', async () => {
    const plugin = createPlugin();
    const output = join(plugin, 'out/.e2e-tests');
    const into = join(output, 'runs/1/plugins');
    expect(await layOutPlugins([plugin], into, output)).toEqual([join(into, 'mine')]);
    expect(readdirSync(join(into, 'mine')).sort()).toEqual(['.claude-plugin', 'commands', 'out']);
    expect(readdirSync(join(into, 'mine/out'))).toEqual(['kept.md']);
  });

  test('is changed in a copy without them too', async () => {
    const plugin = createPlugin();
    const output = join(plugin, 'out/.e2e-tests');
    const into = join(output, 'runs/1/plugins');
    const files = { 'commands/new.md': 'New.' };
    expect(await layOutPlugins([{ name: 'other', from: plugin, files }], into, output)).toEqual([
      join(into, 'other'),
    ]);
    expect(readdirSync(join(into, 'other/commands')).sort()).toEqual(['go.md', 'new.md']);
  });

  test('that does not exist is left to the CLI, which reports it', async () => {
    const output = tempFolder();
    expect(await layOutPlugins(['/nowhere/at/all'], join(output, 'plugins'), output)).toEqual([
      '/nowhere/at/all',
    ]);
  });
});
