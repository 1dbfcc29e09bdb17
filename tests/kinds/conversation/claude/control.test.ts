import { expect, test } from 'vitest';
import type { SessionInit } from '../../../../src/backends/claude/stream.js';
import { describeInit, pollServers } from '../../../../src/kinds/conversation/claude/control.js';

/** A CLI that answers `mcp_status` with one list after the other. */
function answering(...answers: readonly (readonly Readonly<Record<string, unknown>>[])[]) {
  const asked: unknown[] = [];
  return {
    asked,
    control: async (request: Readonly<Record<string, unknown>>) => {
      const mcpServers = answers[Math.min(asked.length, answers.length - 1)];
      asked.push(request.subtype);
      return { mcpServers };
    },
  };
}

test('asks until each server is up or has failed, and reports why one failed and which command started it', async () => {
  const session = answering(
    [
      { name: 'a', status: 'pending' },
      { name: 'b', status: 'failed' },
    ],
    [
      { name: 'a', status: 'connected', config: { type: 'stdio', command: 'node', args: ['a.mjs'] } },
      {
        name: 'b',
        status: 'failed',
        error: 'Connection closed',
        config: { command: 'node', args: ['b.mjs', '-x'] },
      },
      { name: 'c', status: 'failed', error: 'HTTP 500', config: { type: 'http', url: 'http://127.0.0.1:1' } },
    ],
  );
  const servers = await pollServers(session, 30);
  const init = {
    ...{ type: 'system', subtype: 'init', session_id: 's', claude_code_version: '1', model: 'm' },
    ...{ permissionMode: 'default', tools: [], agents: [], skills: [], slash_commands: [], plugins: [] },
    plugin_errors: [],
    mcp_servers: servers.map(({ name, status }) => ({ name, status })),
  } as const satisfies SessionInit;
  expect(describeInit(init, servers)?.mcpServers).toEqual([
    { name: 'a', status: 'connected' },
    { name: 'b', status: 'failed', error: 'Connection closed: node b.mjs -x' },
    { name: 'c', status: 'failed', error: 'HTTP 500' },
  ]);
  expect(session.asked).toEqual(['mcp_status', 'mcp_status']);
});

test('a session without servers is asked once', async () => {
  const session = answering([]);
  expect(await pollServers(session, 30)).toEqual([]);
  expect(session.asked).toEqual(['mcp_status']);
});
