import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlugin } from '../../src/kinds/conversation/plugins/plugin.js';
import { copyWithStubs } from '../../src/mcp/plugins/locate.js';
import { StubbedCopies } from '../../src/mcp/plugins/registry.js';
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

test('a plugin is copied again only when it changed, and a copy goes when nobody uses it', async () => {
  const root = tempFolder();
  const origin = join(root, 'p');
  layOut(root, {
    'p/.mcp.json': JSON.stringify({ mcpServers: { station: { command: '/no/such/program' } } }),
    'p/commands/a.md': 'A command.',
  });
  const open = new Set<string>();
  let made = 0;
  const newFolder = () => {
    made += 1;
    return join(root, 'copies', String(made));
  };
  const copies = new StubbedCopies(newFolder, (copy) => open.has(copy));
  const first = await copies.place({ origin, stubs }, null);
  expect(await copies.place({ origin, stubs }, first)).toBe(first);

  layOut(root, { 'p/commands/a.md': 'Another command.' });
  const second = await copies.place({ origin, stubs }, first);
  expect(second).not.toBe(first);
  open.add(first);
  await copies.leave(first);
  expect(existsSync(first)).toBe(true);
  open.clear();
  await copies.leave(second);
  expect(readdirSync(join(root, 'copies'))).toEqual([]);

  const unknown = copies.place({ origin, stubs: { other: stubs.station } }, null);
  await expect(unknown).rejects.toThrow('Cannot play the MCP server "other"');
  expect(readdirSync(join(root, 'copies'))).toEqual([]);
});
