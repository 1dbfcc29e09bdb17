import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../coverage/covers.js';
import { BAD } from './support/bad-calls.js';
import { connect } from './support/harness-client.js';
import { MARKET, SCRIPT } from './support/plugins.js';
import { childrenOf, folderOf, homesIn, isAlive } from './support/processes.js';

const PACKAGE = new URL('../../package.json', import.meta.url);

describe('bad input', () => {
  test('comes back as a structured error, and the server lives on', async () => {
    covers('H35', 'A1', 'A15');
    const { call, ok, client, root } = await connect({
      args: ['--lane', 'sim', '--script', 'agent.yaml'],
      files: { ...MARKET, 'agent.yaml': SCRIPT },
    });
    symlinkSync(tmpdir(), join(root, 'way-out'));
    for (const [name, input, expected] of BAD) {
      const { failed, data } = await call(name, input);
      expect({ name, failed, error_name: data.error_name }).toEqual({
        name,
        failed: true,
        error_name: expected,
      });
      expect(data).toMatchObject({ success: false, status: 'error', error: expect.any(String) });
      // A message that holds the whole prompt helps nobody.
      expect(data.error.length).toBeLessThan(2_000);
    }
    const { data } = await call('send_promt', {});
    expect(data.hint).toMatch(/^Did you mean send_prompt\? The tools are: /);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).filter((name) => !BAD.some(([tool]) => tool === name))).toEqual([]);
    expect(await ok('list_plugins')).toEqual({ plugins: [], total: 0 });
    const { name, version } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
    expect(client.getServerVersion()).toMatchObject({ name, version });
  });

  test('a session without a workflow, and a plugin in a marketplace that cannot be read', async () => {
    const { call, ok } = await connect({
      args: ['--lane', 'sim', '--script', 'agent.yaml'],
      files: { 'agent.yaml': SCRIPT, 'market/.claude-plugin/marketplace.json': '{' },
    });
    const started = await ok('start_conversation');
    const stage = await call('get_workflow_stage', { session_id: started.session_id });
    expect(stage.data.error_name).toBe('NoWorkflowError');
    const install = await call('install_plugin', { plugin_name: 'x', marketplace_path: 'market' });
    expect(install.data.error_name).toBe('PluginInvalidError');
  });

  test('a lane that cannot be played says what is missing', async () => {
    const unscripted = await connect({ args: ['--lane', 'sim'] });
    const script = await unscripted.call('start_conversation');
    expect(script.data).toMatchObject({
      error_name: 'UsageError',
      hint: expect.stringContaining('--script'),
    });
    const without = await connect({
      args: ['--lane', 'scripted', '--script', 'a.yaml'],
      files: { 'a.yaml': SCRIPT },
    });
    const program = await without.call('start_conversation');
    expect(program.data).toMatchObject({ error_name: 'BackendUnavailableError' });
  });
});

describe('what ends', () => {
  test.skipIf(process.platform !== 'linux')(
    'the agent and its home, with the conversation, while the server lives on',
    async () => {
      covers('H13', 'H50');
      const { ok, call, client, pid } = await connect({
        args: ['--lane', 'sim', '--script', 'agent.yaml'],
        files: { 'agent.yaml': SCRIPT },
      });
      const before = childrenOf(pid);
      const [first, second] = [await ok('start_conversation'), await ok('start_conversation')];
      const agents = childrenOf(pid).filter((child) => !before.includes(child));
      const folder = folderOf(pid);
      const homes = homesIn(folder);
      expect([agents.length, homes.length]).toEqual([2, 2]);
      await ok('end_conversation', { session_id: first.session_id });
      expect(agents.filter(isAlive)).toEqual([agents[1]]);
      expect(homesIn(folder)).toHaveLength(1);
      const send = (session_id: string) => call('send_prompt', { prompt: 'hello', session_id });
      const late = await send(first.session_id);
      expect([late.failed, late.data.error_name]).toEqual([true, 'StateTransitionError']);
      expect((await send(second.session_id)).data.status).toBe('complete');
      await ok('end_conversation', { session_id: second.session_id });
      expect([agents.filter(isAlive), homesIn(folder)]).toEqual([[], []]);
      await client.close();
      await expect.poll(() => existsSync(folder), { timeout: 50_000 }).toBe(false);
    },
  );

  test('the agent, with the server', async () => {
    covers('H50');
    const { ok, client, pid } = await connect({
      args: ['--lane', 'sim', '--script', 'agent.yaml'],
      files: { 'agent.yaml': SCRIPT },
    });
    await ok('start_conversation');
    const children = childrenOf(pid);
    expect(children.length).toBeGreaterThan(0);
    await client.close();
    await expect.poll(() => [pid, ...children].filter(isAlive), { timeout: 50_000 }).toEqual([]);
  });
});
