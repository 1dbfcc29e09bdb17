import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';
import { CLI, tempFolder } from '../support/cli.js';
import { connect } from './support/harness-client.js';

const health = await probeBwrap(process.env.PATH);

describe.skipIf(!health.ok)(health.ok ? 'with --isolation bwrap' : `skipped: ${health.detail}`, () => {
  test('the agent, hooks and MCP servers reach the project and nothing outside of it', async () => {
    const outside = tempFolder();
    const leave = (name: string) => `echo out > ${join(outside, name)}`;
    const hook = `${leave('hook')}; echo inside > hooked.txt; test -e "$CLAUDE_PLUGIN_ROOT/commands/go.md"`;
    const { ok, root } = await connect({
      args: ['--lane', 'sim', '--script', 'agent.yaml', '--isolation', 'bwrap'],
      env: { PATH: process.env.PATH ?? '' },
      files: {
        'agent.yaml': `rules: [{ on: any, steps: [{ run: 'sh -c "${leave('agent')}"; echo inside > made.txt' }, { say: done }] }]\n`,
        'p/.claude-plugin/plugin.json': '{"name":"p","version":"1.0.0"}',
        'p/commands/go.md': 'Go.\n',
        'p/hooks/hooks.json': JSON.stringify({
          hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook }] }] },
        }),
        'stub.json': JSON.stringify({
          name: 'stub',
          tools: { greet: { description: 'g', answers: [{ text: 'hi' }] } },
        }),
      },
    });
    await ok('install_plugin', { plugin_name: 'p' });
    expect(await ok('trigger_hook', { hook_name: 'UserPromptSubmit' })).toMatchObject({ status: 'success' });
    expect(existsSync(join(root, 'hooked.txt'))).toBe(true);
    const { session_id, working_directory } = await ok('start_conversation');
    expect(await ok('execute_command', { command: '/go', session_id })).toMatchObject({
      status: 'completed',
      response: 'done',
    });
    expect(readdirSync(working_directory)).toContain('made.txt');
    const server = `${leave('server')}; exec "${process.execPath}" "${CLI}" sim mcp --script stub.json`;
    const { server_id } = await ok('start_mcp_server', {
      server_name: 'stub',
      server_config: { command: '/bin/sh', args: ['-c', server] },
    });
    expect(await ok('verify_mcp_communication', { server_id })).toMatchObject({ tool_names: ['greet'] });
    await ok('stop_mcp_server', { server_id });
    expect(readdirSync(outside)).toEqual([]);
  });
});
