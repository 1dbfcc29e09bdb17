// Starts programs, or takes seconds: in the project `whole`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectHarness, HarnessCallError } from '../../../../src/index.js';
import { covers } from '../../../coverage/covers.js';
import { layOut } from '../../../mcp/support/harness-client.js';
import { childrenOf, isAlive } from '../../../mcp/support/processes.js';
import { tempFolder } from '../../../support/cli.js';

const FILES = {
  'hello/.claude-plugin/plugin.json': '{"name":"hello","version":"1.0.0","description":"d"}',
  'hello/commands/greet.md': 'Greet $ARGUMENTS.\n',
  'agent.yaml':
    'rules:\n  - { on: /Greet (\\w+)/, say: "Hello, {{1}}!" }\n  - { on: wait, steps: [{ say: I wait. }, hang] }\n',
};

/** Everything is created in this folder, so that leftovers are visible. */
let place = '';
const before = process.env.TMPDIR;

beforeEach(() => {
  place = join(tempFolder(), 'tmp');
  mkdirSync(place);
  process.env.TMPDIR = place;
});

afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

/** The folders of the test itself are made there, too. */
const left = () => readdirSync(place).filter((name) => !name.startsWith('ralph-e2e-test-'));

/** Lists the processes that a process started, and those that they started. */
function listOffspring(pid: number): number[] {
  try {
    return childrenOf(pid).flatMap((child) => [child, ...listOffspring(child)]);
  } catch {
    // It has ended in the meantime.
    return [];
  }
}

describe('connectHarness', () => {
  test('calls the tools of a server, and leaves nothing of it', async () => {
    covers('H51', 'H70');
    const root = tempFolder();
    layOut(root, FILES);
    const harness = await connectHarness({ root, script: join(root, 'agent.yaml') });
    expect(harness.tools).toHaveLength(38);
    const installed = await harness.call('install_plugin', { plugin_name: 'hello', mode: null });
    expect(installed).toMatchObject({ status: 'loaded', commands_registered: ['/hello:greet'] });
    const project = { project_type: 'cli', language: 'python', output_path: 'calc' };
    await harness.call('create_test_project', project);
    const { session_id, working_directory } = await harness.call('start_conversation');
    const greet = { command: '/greet', args: 'Ada', session_id };
    expect(await harness.call('execute_command', greet)).toMatchObject({ response: 'Hello, Ada!' });
    const { artifacts_dir } = await harness.call('capture_test_artifacts', { test_name: 'greeting' });
    const { history_path } = await harness.call('end_conversation', { session_id });
    const made = [join(root, 'calc'), working_directory, artifacts_dir, history_path].map(String);
    expect(made.map((path) => existsSync(path))).toEqual([true, true, true, true]);
    await harness.close();
    await harness.close();
    expect(made.map((path) => existsSync(path))).toEqual([false, false, false, false]);
    expect(readFileSync(join(root, 'agent.yaml'), 'utf8')).toBe(FILES['agent.yaml']);
    expect(left()).toEqual([]);
    await expect(harness.call('list_plugins')).rejects.toThrow(
      'The MCP server does not answer: it ended (0).',
    );
  });

  test('rejects a call that fails with the name of the error and what to do', async () => {
    covers('H70');
    await using harness = await connectHarness();
    const call = harness.call('get_plugin_status', { plugin_name: 'nowhere' });
    await expect(call).rejects.toBeInstanceOf(HarnessCallError);
    await expect(call).rejects.toMatchObject({
      errorName: 'PluginNotFoundError',
      message: expect.stringContaining('nowhere'),
      hint: expect.any(String),
    });
    await expect(harness.call('no_such_tool')).rejects.toMatchObject({ errorName: 'ToolNotFoundError' });
    expect(await harness.call('list_plugins')).toMatchObject({ total: 0 });
  });

  test.skipIf(process.platform !== 'linux')('ends an agent that is at work', async () => {
    covers('H70');
    const script = join(place, '../agent.yaml');
    writeFileSync(script, FILES['agent.yaml']);
    const already = new Set(listOffspring(process.pid));
    let started: number[] = [];
    {
      await using harness = await connectHarness({ script });
      const { session_id } = await harness.call('start_conversation');
      await harness.call('send_prompt', { prompt: 'wait', session_id, wait_for_response: false });
      started = listOffspring(process.pid).filter((pid) => !already.has(pid));
      // The server and the agent.
      expect(started.filter(isAlive).length).toBeGreaterThan(1);
    }
    expect(started.filter(isAlive)).toEqual([]);
    expect(left()).toEqual([]);
  });

  test('keeps what was saved, if that is asked for', async () => {
    const root = tempFolder();
    layOut(root, FILES);
    let saved = '';
    {
      await using harness = await connectHarness({
        root,
        script: join(root, 'agent.yaml'),
        keepArtifacts: true,
      });
      const { session_id } = await harness.call('start_conversation');
      saved = String((await harness.call('end_conversation', { session_id })).history_path);
    }
    expect(existsSync(saved)).toBe(true);
    expect(left()).toEqual([]);
  });

  test('leaves nothing if there is no root, or the server does not start', async () => {
    await expect(connectHarness({ root: join(place, 'missing') })).rejects.toThrow(
      `Expected a folder at ${join(place, 'missing')}, found none.`,
    );
    await expect(connectHarness({ args: ['--no-such-option'] })).rejects.toThrow('--no-such-option');
    expect(left()).toEqual([]);
  });
});
