import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../coverage/covers.js';
import { connect, type HarnessClient } from './support/harness-client.js';
import { folderOf, runningWith } from './support/processes.js';

const HANG = 'touch started; sleep 7654321';
const SIM = {
  args: ['--lane', 'sim', '--script', 'agent.yaml'],
  files: {
    'agent.yaml': `format: 1\nrules:\n  - { on: hang, steps: [{ run: '${HANG}' }, { say: never }] }\n  - { on: any, say: fine }\n`,
    'p/.claude-plugin/plugin.json': '{"name":"p","version":"1.0.0"}',
    'p/commands/wait.md': '---\ndescription: Waits\n---\nhang\n',
    'p/hooks/hooks.json': JSON.stringify({
      hooks: {
        Notification: [
          { hooks: [{ type: 'command', command: 'touch hooked; sleep 7654322', timeout: 600 }] },
        ],
      },
    }),
  },
};

/** Calls a tool and cancels it as soon as what it started has left a file. */
async function cancelWhen(
  { client }: HarnessClient,
  name: string,
  input: Record<string, unknown>,
  file: string,
) {
  const cancel = new AbortController();
  const call = client.callTool({ name, arguments: input }, { timeout: 120_000, signal: cancel.signal });
  const refused = call.then(
    (answer) => {
      throw new Error(`not cancelled: ${JSON.stringify(answer.structuredContent)}`);
    },
    () => {},
  );
  refused.catch(() => {});
  await Promise.race([refused, expect.poll(() => existsSync(file), { timeout: 50_000 }).toBe(true)]);
  cancel.abort();
  await refused;
}

describe.skipIf(process.platform !== 'linux')('a call that is cancelled', () => {
  test.each([
    ['send_prompt', { prompt: 'Please hang.' }],
    ['execute_command', { command: '/p:wait' }],
  ])('%s ends its turn, and the conversation goes on', async (name, input) => {
    covers('A13');
    const harness = await connect(SIM);
    const { ok } = harness;
    await ok('install_plugin', { plugin_name: 'p' });
    const { session_id, working_directory } = await ok('start_conversation');
    await cancelWhen(
      harness,
      name,
      { ...input, session_id, timeout_ms: 600_000 },
      join(working_directory, 'started'),
    );
    await expect
      .poll(
        async () => (await harness.call('send_prompt', { prompt: 'Hello', session_id })).data.response_text,
        {
          timeout: 50_000,
        },
      )
      .toBe('fine');
  });

  test('start_mcp_server and trigger_hook end what they started', async () => {
    covers('A13');
    const harness = await connect(SIM);
    const { ok, root } = harness;
    await ok('install_plugin', { plugin_name: 'p' });
    const server_config = { command: '/bin/sh', args: ['-c', 'echo > served; exec sleep 7654323'] };
    await cancelWhen(harness, 'start_mcp_server', { server_name: 's', server_config }, join(root, 'served'));
    await expect.poll(() => runningWith('7654323'), { timeout: 50_000 }).toEqual([]);
    await cancelWhen(harness, 'trigger_hook', { hook_name: 'Notification' }, join(root, 'hooked'));
    await expect.poll(() => runningWith('7654322'), { timeout: 50_000 }).toEqual([]);
  });

  test('a hook that nobody waits for ends with the environment', async () => {
    const { ok, root } = await connect(SIM);
    await ok('install_plugin', { plugin_name: 'p' });
    await ok('trigger_hook', { hook_name: 'Notification', wait_for_completion: false });
    await expect.poll(() => existsSync(join(root, 'hooked')), { timeout: 50_000 }).toBe(true);
    await ok('reset_test_environment');
    expect(runningWith('7654322')).toEqual([]);
  });

  test('after a kill -9 of the server, the next one ends and removes what it left', async () => {
    const killed = await connect(SIM);
    const { session_id, working_directory } = await killed.ok('start_conversation');
    await killed.ok('send_prompt', { prompt: 'Please hang.', session_id, wait_for_response: false });
    await expect.poll(() => existsSync(join(working_directory, 'started')), { timeout: 50_000 }).toBe(true);
    const folder = folderOf(killed.pid);
    process.kill(killed.pid, 'SIGKILL');
    await expect.poll(() => existsSync(`/proc/${killed.pid}`), { timeout: 50_000 }).toBe(false);
    await connect(SIM);
    expect(runningWith('7654321')).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});

test('a hint names only tools that exist', async () => {
  covers('C12');
  const { ok, call, client } = await connect(SIM);
  const { session_id } = await ok('start_conversation');
  await ok('send_prompt', { prompt: 'Please hang.', session_id, wait_for_response: false });
  const { data } = await call('send_prompt', { prompt: 'Too early', session_id });
  expect(data.error_name).toBe('StateTransitionError');
  const known = (await client.listTools()).tools.map(({ name }) => name);
  const named = data.hint.match(/\b[a-z]+(?:_[a-z]+)+\b/g);
  expect(named).toContain('end_conversation');
  expect(named.filter((name: string) => !known.includes(name))).toEqual([]);
});
