import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { EarlierClients, openLoopback } from '../../src/mcp/http.js';
import { covers } from '../coverage/covers.js';
import { startCli, tempFolder } from '../support/cli.js';
import { BAD } from './support/bad-calls.js';
import { layOut, toAnswer } from './support/harness-client.js';
import { MARKET, SCRIPT } from './support/plugins.js';

/** Starts the server over HTTP and reads where it is and what opens it. */
async function serve(
  script?: string,
  files: Readonly<Record<string, string>> = {},
): Promise<{ url: string; token: string; cwd: string }> {
  const cwd = tempFolder();
  layOut(cwd, files);
  if (script !== undefined) writeFileSync(join(cwd, 'agent.yaml'), script);
  const more = script === undefined ? [] : ['--script', 'agent.yaml'];
  const { child, done, output } = startCli(['mcp', '--http', '--lane', 'sim', ...more], { cwd });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await done;
  });
  const printed = /^(http:\S+)\nAuthorization: Bearer (\S+)\n/;
  await expect.poll(output, { timeout: 50_000 }).toMatch(printed);
  const [, url = '', token = ''] = printed.exec(output()) ?? [];
  return { url, token, cwd };
}

/** The status that a plain request gets. */
function ask(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  });
}

test('a client with the token is served, session after session', async () => {
  covers('H35', 'H70');
  const { url, token } = await serve();
  for (let round = 0; round < 2; round += 1) {
    const headers = { Authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(38);
    const { isError, structuredContent } = await client.callTool({
      name: 'assert_command_suggested',
      arguments: { response: 'run /plan', command_name: 'plan' },
    });
    expect([isError, structuredContent]).toMatchObject([false, { passed: true }]);
    await client.close();
  }
});

test('every tool answers over HTTP, a mistake with a structured error', async () => {
  covers('H35');
  const { url, token, cwd } = await serve(SCRIPT, MARKET);
  symlinkSync(tmpdir(), join(cwd, 'way-out'));
  const headers = { Authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  // A body of ten megabytes is refused before it is a call.
  const calls = BAD.filter(([, input]) => JSON.stringify(input).length < 1_000_000);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => !calls.some(([tool]) => tool === name))).toEqual([]);
  for (const [name, input, error_name] of calls) {
    const { failed, data } = toAnswer(await client.callTool({ name, arguments: input }));
    expect([name, failed, data.error_name]).toEqual([name, true, error_name]);
  }
  await client.close();
});

test('nobody else is: not without the token, not from a web page, not under another name', async () => {
  const { url, token } = await serve();
  const authorization = `Bearer ${token}`;
  expect(await ask(url, {})).toBe(401);
  expect(await ask(url, { authorization: 'Bearer wrong' })).toBe(401);
  expect(await ask(url, { authorization, origin: 'https://example.com' })).toBe(403);
  expect(await ask(url, { authorization, host: 'example.com' })).toBe(403);
  expect(await ask(url.replace('/mcp', '/other'), { authorization })).toBe(404);
  expect(await ask(url, { authorization, origin: 'http://localhost:3000' })).not.toBe(403);
});

test('a request that does not arrive in time is ended, and an answer may take longer', async () => {
  const server = await openLoopback({
    ...{ port: 0, token: 't', arrivalMs: 200 },
    answer: async (received) => {
      await received.text();
      await new Promise((resolve) => setTimeout(resolve, 600));
      return new Response('late');
    },
  });
  onTestFinished(server.close);
  const headers = { Authorization: 'Bearer t', 'content-length': '10' };
  const slow = request(server.url, { method: 'POST', headers });
  slow.write('half');
  const ended = await new Promise<string>((resolve) => {
    slow.once('error', () => resolve('ended'));
    slow.once('response', ({ statusCode }) => resolve(`${statusCode}`));
  });
  expect(['ended', '408']).toContain(ended);
  const whole = await fetch(server.url, {
    method: 'POST',
    headers: { Authorization: 'Bearer t' },
    body: 'whole',
  });
  expect(await whole.text()).toBe('late');
  // Names no time after which the connection closes: a client may come back on it whenever it wants.
  expect(whole.headers.get('keep-alive')).toBeNull();
});

/** Opens a session, as a client of the protocol before 2026, and returns its id. */
async function openEarlier(clients: EarlierClients): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const answer = await clients.answer(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    }),
  );
  expect(answer.status).toBe(200);
  return answer.headers.get('mcp-session-id') ?? '';
}

const statusOf = async (clients: EarlierClients, id: string) =>
  (
    await clients.answer(
      new Request('http://127.0.0.1/mcp', { method: 'GET', headers: { 'mcp-session-id': id } }),
    )
  ).status;

test('above their number, the session that was not used for longest is forgotten', async () => {
  const clients = new EarlierClients(
    () => new Server({ name: 's', version: '1' }, { capabilities: {} }),
    1_000_000,
    2,
  );
  onTestFinished(() => clients.close());
  const used = await openEarlier(clients);
  const unused = await openEarlier(clients);
  expect(await statusOf(clients, used)).not.toBe(404);
  const newest = await openEarlier(clients);
  expect(await statusOf(clients, unused)).toBe(404);
  expect(await statusOf(clients, newest)).not.toBe(404);
  expect(await statusOf(clients, used)).not.toBe(404);
});

test('a connection that is gone cancels its call, and the conversation goes on', async () => {
  const { url, token } = await serve(
    "rules: [{ on: hang, steps: [{ run: 'touch started; sleep 7654324' }, { say: never }] }, { on: any, say: fine }]",
  );
  const headers = { Authorization: `Bearer ${token}` };
  const open = async (gone: AbortSignal) => {
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      fetch: (address, init) =>
        fetch(address, { ...init, signal: AbortSignal.any([gone, ...(init?.signal ? [init.signal] : [])]) }),
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    return async (name: string, input: Record<string, unknown> = {}) =>
      toAnswer(await client.callTool({ name, arguments: input }, { timeout: 120_000 })).data;
  };
  const stays = await open(new AbortController().signal);
  const drop = new AbortController();
  const leaves = await open(drop.signal);
  const { session_id, working_directory } = await stays('start_conversation');
  leaves('send_prompt', { prompt: 'hang', session_id, timeout_ms: 600_000 }).catch(() => {});
  await expect.poll(() => existsSync(join(working_directory, 'started')), { timeout: 50_000 }).toBe(true);
  drop.abort();
  await expect
    .poll(async () => (await stays('send_prompt', { prompt: 'hello', session_id })).response_text, {
      timeout: 50_000,
    })
    .toBe('fine');
});
