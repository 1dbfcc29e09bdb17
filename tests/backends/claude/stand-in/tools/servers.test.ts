import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlayedServers } from '../../../../../src/backends/claude/stand-in/tools/servers.js';
import { makeFixture } from '../../../support/stand-in-cli.js';

function serversWith(program: readonly string[]) {
  const { cwd, write } = makeFixture([]);
  write('played.json', JSON.stringify({ tools: { get: {} } }));
  const played = { name: 'srv', program, script: join(cwd, 'played.json'), prefix: 'mcp__srv__' };
  return new PlayedServers([played], { cwd, env: { PATH: process.env.PATH } });
}

test('a server whose program does not exist is a closed connection', async () => {
  const outcome = await serversWith(['/nosuch/program']).call('mcp__srv__get', {});
  expect(outcome).toMatchObject({ isError: true, content: 'MCP error -32000: Connection closed' });
});

test('what is no answer to the call is passed over', async () => {
  const answer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'mine' }] } };
  const lines = ['no message', '{"jsonrpc":"2.0","method":"notifications/progress"}', '{"id":7,"result":{}}'];
  const code = `process.stdin.once('data', () => console.log(${JSON.stringify([...lines, JSON.stringify(answer)].join('\n'))}))`;
  const outcome = await serversWith([process.execPath, '-e', code]).call('mcp__srv__get', {});
  expect(outcome).toMatchObject({ isError: false, content: 'mine' });
});
