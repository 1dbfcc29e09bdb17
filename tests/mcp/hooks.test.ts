import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from './support/harness-client.js';

const manifest = (name: string) => JSON.stringify({ name, version: '1.0.0', description: name });
const hooks = (events: object) => JSON.stringify({ hooks: events });
const command = (line: string, matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command: line }],
});
const open = (files: Readonly<Record<string, string>>) =>
  connect({
    args: ['--lane', 'sim', '--script', 'agent.yaml'],
    files: { 'agent.yaml': 'rules: [{ on: any, say: ok }]\n', ...files },
  });

describe('trigger_hook', () => {
  test('runs every hook that Claude Code would run for the event, where Claude Code would', async () => {
    const { ok, call, root } = await open({
      'p/.claude-plugin/plugin.json': manifest('p'),
      'p/hooks/hooks.json': hooks({
        PreToolUse: [
          command('read -r line || :; echo "bash $line"', 'Bash'),
          command('echo either', 'Bash|Write'),
          command(
            'echo any "$HOME" and "$CLAUDE_PLUGIN_DATA"; [ -d "$CLAUDE_PLUGIN_DATA" ] && echo made=yes',
          ),
          command('echo any-too', '*'),
          command('echo either', 'Bash'),
          command('echo reads', 'Read'),
        ],
        Stop: [command('echo stopped', 'ignored')],
      }),
    });
    await ok('install_plugin', { plugin_name: 'p' });
    const { output, status } = await ok('trigger_hook', { hook_name: 'PreToolUse:Bash' });
    expect(status).toBe('success');
    const words = output.split('\n').map((line: string) => line.split(' ')[0]);
    expect(words.filter((word: string) => /^[a-z-]+$/.test(word))).toEqual([
      'bash',
      'either',
      'any',
      'any-too',
    ]);
    expect(output).toContain('"tool_name":"Bash"');
    const [, home = '', data = ''] = /any (\S+) and (\S+)/.exec(output) ?? [];
    expect(home).toContain('ralph-e2e-mcp-');
    expect(home).not.toContain(root);
    expect(data).toBe(join(home, '.claude/plugins/data/p-inline'));
    expect(output).toContain('made=yes');
    // By its name in the list, only that one.
    const one = await ok('trigger_hook', { hook_name: 'PreToolUse:Bash|Write' });
    expect(one.output.trim()).toBe('either');
    // Claude Code compares this event with nothing.
    expect((await ok('trigger_hook', { hook_name: 'Stop' })).output.trim()).toBe('stopped');
    const { data: none } = await call('trigger_hook', { hook_name: 'PostToolUse:Bash' });
    expect(none.error_name).toBe('HookNotFoundError');
    const counts = (await ok('list_active_hooks')).hooks.map(
      (hook: { execution_count: number }) => hook.execution_count,
    );
    expect(counts).toEqual([1, 2, 1, 1, 2, 0, 1]);
  });
});

test('a hook that cannot be run is a failed run, whether or not somebody waits for it', async () => {
  const { ok, call } = await open({
    'p/.claude-plugin/plugin.json': manifest('p'),
    // The folder for the plugin's data cannot be made again afterwards.
    'p/hooks/hooks.json': hooks({
      Stop: [command('rmdir "$CLAUDE_PLUGIN_DATA" && echo file > "$CLAUDE_PLUGIN_DATA"')],
    }),
  });
  await ok('install_plugin', { plugin_name: 'p' });
  const { session_id } = await ok('start_conversation');
  const trigger = { hook_name: 'Stop', session_id };
  expect((await ok('trigger_hook', trigger)).status).toBe('success');
  const { execution_id } = await ok('trigger_hook', { ...trigger, wait_for_completion: false });
  expect((await call('trigger_hook', trigger)).failed).toBe(true);
  const { executions } = await ok('get_hook_execution_log', { hook_name: 'Stop' });
  const own = executions.filter((run: { session_id: string | null }) => run.session_id === null);
  expect(own.map((run: { status: string }) => run.status)).toEqual(['success', 'failed', 'failed']);
  expect(own[1].execution_id).toBe(execution_id);
  expect(own[1].error).toContain('EEXIST');
});

test('a run by trigger_hook is logged for what it was about', async () => {
  const { ok } = await open({
    'p/.claude-plugin/plugin.json': manifest('p'),
    'p/hooks/hooks.json': hooks({ PreToolUse: [command('true', 'Bash'), command('true', 'Write')] }),
  });
  await ok('install_plugin', { plugin_name: 'p' });
  await ok('trigger_hook', { hook_name: 'PreToolUse', payload: { tool_name: 'Bash' } });
  const total = async (hook_name: string) => (await ok('get_hook_execution_log', { hook_name })).total;
  expect(await total('PreToolUse:Bash')).toBe(1);
  expect(await total('PreToolUse')).toBe(1);
  expect(await total('PreToolUse:Write')).toBe(0);
});

test('what a hook makes of a tool call is no problem of its plugin, as in Claude Code', async () => {
  const { ok } = await open({
    'p/.claude-plugin/plugin.json': manifest('p'),
    'p/hooks/hooks.json': hooks({
      PreToolUse: [command('exit 1')],
      PostToolUse: [command('echo lost >&2; exit 7', 'Edit')],
      PostToolUseFailure: [command('exit 9')],
    }),
  });
  expect(await ok('install_plugin', { plugin_name: 'p' })).toMatchObject({ status: 'loaded', error: null });
  expect(await ok('get_plugin_status', { plugin_name: 'p' })).toMatchObject({ status: 'loaded' });
});

test('a hook is counted only in conversations that have its plugin', async () => {
  const { ok } = await open(
    Object.fromEntries(
      ['a', 'b'].flatMap((name) => [
        [`${name}/.claude-plugin/plugin.json`, manifest(name)],
        [`${name}/hooks/hooks.json`, hooks({ UserPromptSubmit: [command(`echo ${name}`)] })],
      ]),
    ),
  );
  for (const plugin_name of ['a', 'b']) await ok('install_plugin', { plugin_name });
  const { session_id } = await ok('start_conversation', { config: { plugins: ['b'] } });
  for (const prompt of ['One.', 'Two.']) await ok('send_prompt', { prompt, session_id });
  const { hooks: counted } = await ok('list_active_hooks');
  expect(
    counted.map((hook: { plugin: string; execution_count: number }) => [hook.plugin, hook.execution_count]),
  ).toEqual([
    ['a', 0],
    ['b', 2],
  ]);
});
