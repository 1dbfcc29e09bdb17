import { lstatSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlugin } from '../../src/kinds/conversation/plugins/plugin.js';
import { copyWithStubs } from '../../src/mcp/plugins/locate.js';
import { tempFolder } from '../support/cli.js';
import { layOut } from './support/harness-client.js';

const stubs = {
  station: { tools: { forecast: { description: 'The weather', answers: [{ text: 'sun' }] } } },
};

test('a copy with stubs has the links of the plugin, and changes nothing behind them', async () => {
  const root = tempFolder();
  const origin = join(root, 'p');
  const shared = JSON.stringify({ mcpServers: { station: { command: '/no/such/program' } } });
  layOut(root, {
    'p/commands/real.md': 'A command.',
    'p/notes/a.txt': 'a',
    'outside.md': 'Another command.',
    'servers.json': shared,
  });
  symlinkSync('../../outside.md', join(origin, 'commands/linked.md'));
  symlinkSync('nowhere.md', join(origin, 'commands/dangling.md'));
  symlinkSync('notes/a.txt', join(origin, 'inside.txt'));
  symlinkSync('../servers.json', join(origin, '.mcp.json'));

  const copy = await copyWithStubs({ origin, stubs }, join(root, 'copies'));

  const plugin = await readPlugin(copy);
  expect(plugin.commands.map(({ name }) => name)).toEqual(['p:real']);
  expect(Object.keys(plugin.servers)).toEqual(['station']);
  expect(readlinkSync(join(copy, 'commands/linked.md'))).toBe(join(root, 'outside.md'));
  expect(readlinkSync(join(copy, 'commands/dangling.md'))).toBe('nowhere.md');
  expect(readlinkSync(join(copy, 'inside.txt'))).toBe('notes/a.txt');
  expect(lstatSync(join(copy, '.mcp.json')).isSymbolicLink()).toBe(false);
  expect(readFileSync(join(root, 'servers.json'), 'utf8')).toBe(shared);
});
