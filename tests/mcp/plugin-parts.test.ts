import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { covers } from '../coverage/covers.js';
import { connect } from './support/harness-client.js';

const SIM = {
  args: ['--lane', 'sim', '--script', 'agent.yaml'],
  files: { 'agent.yaml': 'format: 1\nrules: [{ on: any, say: ok }]\n' },
};

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const manifest = (more: object = {}) =>
  JSON.stringify({ name: 'p', version: '1.0.0', description: 'd', ...more });
const command = (line: string) => ({ hooks: [{ type: 'command', command: line }] });

test('parts have the names that Claude Code gives them, and commands answer to all of theirs', async () => {
  covers('A7');
  const { ok, call, root } = await connect(SIM);
  write(root, {
    'p/.claude-plugin/plugin.json': manifest({ hooks: { Stop: [command('true')] } }),
    'p/skills/rules/SKILL.md': '---\nname: writing-rules\ndescription: Use when: needed\n---\nWrite rules.\n',
    'p/agents/a.md': '---\nname: guide\ndescription: Guides\n---\nYou guide.\n',
  });
  expect(await ok('install_plugin', { plugin_name: 'p' })).toMatchObject({
    loaded: true,
    agents_registered: ['p:guide'],
    commands_registered: ['/p:rules'],
    hooks_registered: ['Stop'],
  });
  expect(await ok('get_plugin_status', { plugin_name: 'p' })).toMatchObject({
    agents: [{ name: 'p:guide', active: true }],
    skills: [{ name: 'p:rules', aliases: ['p:writing-rules', 'writing-rules'], available: true }],
    hooks: [{ event: 'Stop', active: true }],
  });
  const { session_id } = await ok('start_conversation', { config: { agent_mode: 'p:guide' } });
  expect(await ok('get_agent_guidance', { session_id })).toMatchObject({ guidance_text: 'You guide.' });
  for (const name of ['/p:rules', '/p:writing-rules', '/rules'])
    expect(await ok('execute_command', { command: name, session_id })).toMatchObject({ status: 'completed' });
  const ghost = await call('start_conversation', { config: { agent_mode: 'p:a' } });
  expect([ghost.failed, ghost.data.error_name]).toEqual([true, 'AgentNotFoundError']);
  expect(ghost.data.hint).toContain('p:guide');
});

test('a hook that fails before the first turn is part of the status', async () => {
  const { ok, root } = await connect(SIM);
  const hooks = { SessionStart: [command('"$CLAUDE_PLUGIN_ROOT"/not-there.sh')] };
  write(root, {
    'p/.claude-plugin/plugin.json': manifest(),
    'p/hooks/hooks.json': JSON.stringify({ hooks }),
  });
  const installed = await ok('install_plugin', { plugin_name: 'p' });
  expect(installed).toMatchObject({ status: 'error', hooks_registered: ['SessionStart'] });
  expect(installed.error).toMatch(/hook SessionStart:startup failed: exit code 127/);
  expect(await ok('list_active_hooks')).toMatchObject({ hooks: [{ enabled: true }] });
});

test('runs that several hooks of an event may have made are counted for the group', async () => {
  const { ok, root } = await connect(SIM);
  const hooks = { UserPromptSubmit: [command('echo one'), command('echo two')], Stop: [command('true')] };
  write(root, {
    'p/.claude-plugin/plugin.json': manifest(),
    'p/hooks/hooks.json': JSON.stringify({ hooks }),
  });
  await ok('install_plugin', { plugin_name: 'p' });
  const { session_id } = await ok('start_conversation', {});
  for (const prompt of ['One.', 'Two.']) await ok('send_prompt', { prompt, session_id });
  const { hooks: counted } = await ok('list_active_hooks', { session_id });
  expect(counted).toMatchObject([
    { execution_count: 4, shared_by: ['p: UserPromptSubmit: echo two'] },
    { execution_count: 4, shared_by: ['p: UserPromptSubmit: echo one'] },
    { execution_count: 2, shared_by: [] },
  ]);
});

test('what the stand-in does not play is refused by name', async () => {
  const { call, root } = await connect(SIM);
  const market = {
    ...{ name: 'm', owner: { name: 'me' } },
    plugins: [{ name: 'e', source: './', strict: false, skills: ['./skills/a'] }],
  };
  write(root, {
    'm/.claude-plugin/marketplace.json': JSON.stringify(market),
    'm/skills/a/SKILL.md': 'A',
    'm/skills/b/SKILL.md': 'B',
    'p/.claude-plugin/plugin.json': manifest({ mcpServers: { s: { command: 'true' } } }),
  });
  const entry = await call('install_plugin', { plugin_name: 'e', marketplace_path: 'm' });
  expect(entry.data).toMatchObject({
    error_name: 'UnsupportedError',
    error: expect.stringContaining('marketplaces'),
  });
  const server = await call('install_plugin', { plugin_name: 'p' });
  expect(server.data).toMatchObject({
    error_name: 'UnsupportedError',
    error: expect.stringContaining('(s)'),
  });
});

test('the status of a plugin of texts alone is what a conversation with it tells', async () => {
  const { ok, root } = await connect(SIM);
  write(root, {
    'p/.claude-plugin/plugin.json': manifest(),
    'p/commands/go.md': '---\ndescription: Goes\n---\nGo.\n',
    'p/skills/bare/SKILL.md': 'Without a description.\n',
    'p/skills/own/SKILL.md': '---\ndescription: Own\nuser-invocable: false\n---\nFor the model.\n',
    'p/skills/rules/SKILL.md': '---\ndescription: Rules\n---\nRules.\n',
    'p/agents/a.md': '---\nname: guide\ndescription: Guides\n---\nYou guide.\n',
  });
  const installed = await ok('install_plugin', { plugin_name: 'p' });
  expect(installed).toMatchObject({ loaded: true, error: null, agents_registered: ['p:guide'] });
  const { session_id } = await ok('start_conversation');
  await ok('send_prompt', { session_id, prompt: 'Hello.' });
  const { commands } = await ok('list_available_commands', { session_id, filter_by_plugin: 'p' });
  const available = commands.filter((command: { available: boolean }) => command.available);
  expect(installed.commands_registered).toEqual(available.map(({ name }: { name: string }) => name));
  const { skills } = await ok('get_plugin_status', { plugin_name: 'p' });
  expect((await ok('get_agent_guidance', { session_id })).skills_available).toEqual(
    skills
      .filter((skill: { available: boolean }) => skill.available)
      .map(({ name }: { name: string }) => name),
  );
});
