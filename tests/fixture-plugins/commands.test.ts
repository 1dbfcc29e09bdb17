import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BROKEN_PLUGINS, FIXTURE_PLUGINS } from '../../src/kinds/conversation/projects/fixture-plugins.js';
import { agentLoop, epti, visualIteration } from '../../src/kinds/conversation/workflows.js';
import { PLUGINS } from './run-hook.js';

const WORKFLOWS = [agentLoop, epti, visualIteration];

function readCommands(plugin: string): Map<string, string> {
  const folder = join(PLUGINS, plugin, 'commands');
  return new Map(
    readdirSync(folder).map((file) => [file.replace(/\.md$/, ''), readFileSync(join(folder, file), 'utf8')]),
  );
}

describe.each(WORKFLOWS)('the commands of $name', ({ name, stages }) => {
  const commands = readCommands(name);

  test('are there for every stage that has one', () => {
    const wanted = Object.values(stages).flatMap(({ command }) => command ?? []);
    expect([...commands.keys()]).toEqual(expect.arrayContaining(wanted));
  });

  test.each([...commands])('%s ends with its stage and a command that there is', (command, text) => {
    const [, stage = '', plugin, next = ''] = /\nSTAGE: (\S+)\nNEXT: \/([\w-]+):([\w-]+)\n$/.exec(text) ?? [];
    expect(plugin).toBe(name);
    expect(commands.has(next), next).toBe(true);
    const own = Object.entries(stages).find(([, definition]) => definition.command === command)?.[0];
    if (own !== undefined) expect(stage).toBe(own);
    expect(text).toMatch(/^---\ndescription: .+\nargument-hint: .+\n---\n.* stage of .*\$ARGUMENTS/);
  });
});

describe('plugins', () => {
  test('are those that the list names, and no other', () => {
    const folders = readdirSync(PLUGINS).filter((name) => !name.startsWith('.'));
    expect(folders.sort()).toEqual([...FIXTURE_PLUGINS, ...BROKEN_PLUGINS].sort());
  });

  test('the marketplace offers those that work, with what their manifests say', () => {
    const { plugins } = JSON.parse(readFileSync(join(PLUGINS, '.claude-plugin/marketplace.json'), 'utf8'));
    const manifests = FIXTURE_PLUGINS.map((name) =>
      JSON.parse(readFileSync(join(PLUGINS, name, '.claude-plugin/plugin.json'), 'utf8')),
    );
    expect(plugins).toEqual(
      manifests.map(({ name, description }) => ({ name, source: `./${name}`, description })),
    );
  });

  test.each(FIXTURE_PLUGINS)('%s leaves its parts to discovery: naming hooks twice is an error', (name) => {
    const manifest = JSON.parse(readFileSync(join(PLUGINS, name, '.claude-plugin/plugin.json'), 'utf8'));
    expect(Object.keys(manifest).sort()).toEqual(['author', 'description', 'license', 'name', 'version']);
  });
});
