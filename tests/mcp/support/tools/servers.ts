import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { CLI } from '../../../support/cli.js';
import { childrenOf, isAlive } from '../processes.js';
import { open } from './opened.js';

const WAVE = { description: 'Greets', answers: [{ text: 'hello' }] };
const STUB = JSON.stringify({ name: 'stub', tools: { greet: WAVE, wave: WAVE } });
const START = {
  server_name: 'browser-tools',
  server_config: { command: process.execPath, args: [CLI, 'sim', 'mcp', '--script', 'stub.json'] },
};

/** An MCP server whose tools are named after its argument and its environment. */
const TELLS_ITS_CONFIGURATION = `import { createInterface } from 'node:readline';
const tools = [process.argv[2], process.env.TOLD ?? 'nothing'];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'told', version: '1' } }
      : { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

/** An MCP server that starts a process which would outlive it. */
const STARTS_ANOTHER = `
require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
process.argv.push(${JSON.stringify(CLI)}, 'sim', 'mcp', '--script', 'stub.json');
import(${JSON.stringify(CLI)});`;

/** MCP servers, in every offline lane. */
export function testServers(args: readonly string[]): void {
  describe('MCP servers', () => {
    test('are started, asked and stopped', async () => {
      covers('H31', 'H32', 'H33');
      const { ok, call, root } = await open(args);
      writeFileSync(join(root, 'stub.json'), STUB);
      const { server_id, pid } = await ok('start_mcp_server', START);
      expect(server_id).toMatch(/^mcp_browser_tools_[0-9a-f]{8}$/);
      expect(isAlive(pid)).toBe(true);
      expect(await ok('verify_mcp_communication', { server_id })).toMatchObject({
        status: 'success',
        responding: true,
        tools_available: 2,
        tool_names: ['greet', 'wave'],
        error: null,
      });
      expect(await ok('stop_mcp_server', { server_id })).toMatchObject({
        status: true,
        stopped: true,
        cleaned: true,
      });
      expect(isAlive(pid)).toBe(false);
      const dead = await call('start_mcp_server', {
        server_name: 'dead',
        server_config: { command: 'false' },
      });
      expect(dead).toMatchObject({ failed: true, data: { error_name: 'ServerFailedError' } });
    });

    test('end with everything that they started', async () => {
      covers('H32');
      const { ok, call, root } = await open(args);
      writeFileSync(join(root, 'stub.json'), STUB);
      const { server_id, pid } = await ok('start_mcp_server', {
        server_name: 'parent',
        server_config: { command: process.execPath, args: ['-e', STARTS_ANOTHER] },
      });
      const [child = 0] = childrenOf(pid);
      expect(isAlive(child)).toBe(true);
      expect(await ok('stop_mcp_server', { server_id })).toMatchObject({ stopped: true, cleaned: true });
      expect([pid, child].filter(isAlive)).toEqual([]);
      expect(await call('stop_mcp_server', { server_id })).toMatchObject({
        data: { error_name: 'ServerNotFoundError' },
      });
    });

    test('that are dead do not respond, and others took some time to', async () => {
      covers('H33');
      const { ok, root } = await open(args);
      writeFileSync(join(root, 'stub.json'), STUB);
      const { server_id, pid } = await ok('start_mcp_server', START);
      const verify = () => ok('verify_mcp_communication', { server_id });
      expect((await verify()).latency_ms).toBeGreaterThan(0);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
      expect(await verify()).toEqual({
        ...{ status: 'error', responding: false, latency_ms: null, tools_available: 0, tool_names: [] },
        ...{ server_id, error: expect.stringContaining('SIGKILL') },
      });
    });

    test('and plugins outlive a conversation, and go with the reset', async () => {
      covers('H25', 'H53');
      const { ok, call, root } = await open(args);
      writeFileSync(join(root, 'stub.json'), STUB);
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      const { server_id, pid } = await ok('start_mcp_server', START);
      const first = await ok('start_conversation');
      await ok('send_prompt', { prompt: 'hello', session_id: first.session_id });
      await ok('end_conversation', { session_id: first.session_id });
      expect(await ok('list_plugins')).toMatchObject({ total: 1, plugins: [{ name: 'agent-loop' }] });
      const second = await ok('start_conversation');
      expect(second.plugins_active).toEqual(['agent-loop']);
      expect(await ok('verify_mcp_communication', { server_id })).toMatchObject({ responding: true });
      expect(isAlive(pid)).toBe(true);
      expect(await ok('reset_test_environment')).toMatchObject({
        removed: { mcp_servers: 1, plugins: 1, sessions: 1 },
      });
      expect(isAlive(pid)).toBe(false);
      expect(await ok('list_plugins')).toMatchObject({ total: 0 });
      const gone = await call('verify_mcp_communication', { server_id });
      expect([gone.failed, gone.data.error_name]).toEqual([true, 'ServerNotFoundError']);
      expect((await ok('start_conversation')).plugins_active).toEqual([]);
    });

    test('are started as their configuration says', async () => {
      covers('H31');
      const { ok, call, root } = await open(args);
      writeFileSync(join(root, 'plugins/agent-loop/told.mjs'), TELLS_ITS_CONFIGURATION);
      const server_config = {
        command: process.execPath,
        args: ['${CLAUDE_PLUGIN_ROOT}/told.mjs', 'one word'],
        env: { TOLD: 'from ${CLAUDE_PLUGIN_ROOT}' },
      };
      const start = (more: object) => ({ server_name: 'told', server_config, ...more });
      const unowned = await call('start_mcp_server', start({}));
      expect([unowned.failed, unowned.data.error_name]).toEqual([true, 'InvalidInputError']);
      expect(unowned.data).toMatchObject({
        error: expect.stringContaining('found none'),
        hint: expect.stringContaining('plugin_name'),
      });
      const missing = await call('start_mcp_server', start({ plugin_name: 'agent-loop' }));
      expect(missing.data.error_name).toBe('PluginNotFoundError');
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      // The plugin has no server of this name: only its own name leads to it.
      expect((await call('start_mcp_server', start({}))).failed).toBe(true);
      const { server_id } = await ok('start_mcp_server', start({ plugin_name: 'agent-loop' }));
      const { tool_names } = await ok('verify_mcp_communication', { server_id });
      expect(tool_names).toEqual(['one word', `from ${join(root, 'plugins/agent-loop')}`]);
    });

    test('belong to the plugin that has a server of their name', async () => {
      covers('H31');
      const { ok, root } = await open(args);
      const manifest = JSON.stringify({ name: 'told', version: '1.0.0', description: 'Tells' });
      const servers = { mcpServers: { told: { command: '/no/such/program' } } };
      mkdirSync(join(root, 'told/.claude-plugin'), { recursive: true });
      writeFileSync(join(root, 'told/.claude-plugin/plugin.json'), manifest);
      writeFileSync(join(root, 'told/.mcp.json'), JSON.stringify(servers));
      writeFileSync(join(root, 'told/told.mjs'), TELLS_ITS_CONFIGURATION);
      const stubs = { told: { tools: { nothing: { answers: [{ text: 'x' }] } } } };
      await ok('install_plugin', { plugin_name: 'told', marketplace_path: 'told', stubs });
      const program = ['${CLAUDE_PLUGIN_ROOT}/told.mjs', 'found'];
      const { server_id } = await ok('start_mcp_server', {
        server_name: 'told',
        server_config: { command: process.execPath, args: program },
      });
      expect((await ok('verify_mcp_communication', { server_id })).tool_names).toEqual(['found', 'nothing']);
    });
  });
}
