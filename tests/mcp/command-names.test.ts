import { expect, test } from 'vitest';
import { covers } from '../coverage/covers.js';
import { connect } from './support/harness-client.js';

const inline = {
  name: 'größe.x',
  version: '1.0.0',
  description: 'd',
  commands: {
    greet: { content: '---\narguments: who\n---\n\n  Hello $who.\n', description: 'Greets' },
    'dotted.name': { source: './more/file.md' },
    naïve: { source: './more/file.md' },
  },
};

test('a command is known by every name that Claude Code accepts, wherever it is declared', async () => {
  const { ok, call } = await connect({
    args: ['--lane', 'sim', '--script', 'agent.yaml'],
    files: {
      'agent.yaml': 'rules: [{ on: any, say: ok }]\n',
      'größe.x/.claude-plugin/plugin.json': JSON.stringify(inline),
      'größe.x/more/file.md': '---\nname: other\n---\nA=`x` of $ARGUMENTS\n',
      'größe.x/skills/scout/SKILL.md':
        '---\nname: pathfinder\ndescription: Scouts\n---\n\nScout $ARGUMENTS.\n',
    },
  });
  expect(await ok('install_plugin', { plugin_name: 'größe.x' })).toMatchObject({ status: 'loaded' });
  expect(await ok('list_plugins')).toMatchObject({
    plugins: [{ component_counts: { agents: 0, commands: 3, skills: 1, hooks: 0, mcp_servers: 0 } }],
  });
  const expand = (command: string, more: object = {}) => ok('verify_command_expansion', { command, ...more });
  expect(await expand('/greet Ada')).toMatchObject({
    valid: true,
    command_name: '/größe.x:greet',
    expanded: 'Hello Ada.\n',
  });
  expect(await expand('/größe.x:dotted.name it')).toMatchObject({
    valid: true,
    expanded: 'A=`x` of it\n',
  });
  expect(await expand('/naïve it')).toMatchObject({ valid: true, command_name: '/größe.x:naïve' });

  const { session_id } = await ok('start_conversation', {});
  expect(await expand('/pathfinder north', { session_id })).toMatchObject({
    valid: true,
    command_name: '/größe.x:scout',
    expanded: expect.stringMatching(/^Base directory for this skill: .*\n\nScout north\.\n$/),
  });
  expect(await ok('get_agent_guidance', { session_id })).toMatchObject({
    guidance_text: '',
    skills_available: ['größe.x:scout'],
  });
  const scouted = await ok('execute_command', { command: '/größe.x:pathfinder', args: 'east', session_id });
  expect(scouted.status).toBe('completed');
  expect((await ok('get_agent_guidance', { session_id })).guidance_text).toMatch(/Scout east\.$/);
  expect((await call('execute_command', { command: '/a/b', session_id })).data.error_name).toBe(
    'InvalidInputError',
  );
});

test('a short name that two plugins have is ambiguous', async () => {
  covers('H5', 'A1');
  const plugin = (name: string) => ({
    [`${name}/.claude-plugin/plugin.json`]: JSON.stringify({ name, version: '1.0.0' }),
    [`${name}/commands/go.md`]: `Go with ${name}.\n`,
  });
  const { ok, call } = await connect({
    args: ['--lane', 'sim', '--script', 'agent.yaml'],
    files: { 'agent.yaml': 'rules: [{ on: any, say: ok }]\n', ...plugin('left'), ...plugin('right') },
  });
  for (const plugin_name of ['left', 'right']) await ok('install_plugin', { plugin_name });
  const { session_id } = await ok('start_conversation');
  const { failed, data } = await call('execute_command', { command: '/go', session_id });
  expect([failed, data.error_name]).toEqual([true, 'CommandAmbiguousError']);
  expect(`${data.error} ${data.hint}`).toMatch(/left:go.*right:go/);
  expect(await ok('execute_command', { command: '/right:go', session_id })).toMatchObject({
    ...{ command: '/right:go', status: 'completed' },
  });
});
