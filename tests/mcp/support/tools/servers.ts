import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../coverage/covers.js';
import { CLI } from '../../../support/cli.js';
import { open } from './opened.js';

/** MCP servers, in every offline lane. */
export function testServers(args: readonly string[]): void {
  describe('MCP servers', () => {
    test('are started, asked and stopped', async () => {
      covers('H31', 'H32', 'H33', 'H53');
      const { ok, call, root } = await open(args);
      const tool = { description: 'Greets', answers: [{ text: 'hello' }] };
      writeFileSync(
        join(root, 'stub.json'),
        JSON.stringify({ name: 'stub', tools: { greet: tool, wave: tool } }),
      );
      const server_config = { command: process.execPath, args: [CLI, 'mcp-stub', '--script', 'stub.json'] };
      const { server_id, pid } = await ok('start_mcp_server', {
        server_name: 'browser-tools',
        server_config,
      });
      expect(server_id).toMatch(/^mcp_browser_tools_[0-9a-f]{8}$/);
      expect(isAlive(pid)).toBe(true);
      expect(await ok('verify_mcp_communication', { server_id })).toMatchObject({
        status: 'success',
        responding: true,
        tools_available: 2,
        tool_names: ['greet', 'wave'],
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
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
