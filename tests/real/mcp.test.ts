import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../coverage/covers.js';
import { connect } from '../mcp/support/harness-client.js';
import { MARKET, SCRIPT } from '../mcp/support/plugins.js';
import { testEveryToolWasCalled, testTools } from '../mcp/support/tool-tests.js';
import { bareSystemPath } from '../support/cli.js';
import { requireProgram } from './programs.js';

const REAL = ['--lane', 'scripted', '--executable', requireProgram('claude')];

testTools(REAL);
testEveryToolWasCalled(REAL, [
  'mock_mcp_tool_response',
  'list_scenarios',
  'run_scenario',
  'get_report',
  'get_failure',
]);

/** A server with what only the real program has. */
function open(files: Readonly<Record<string, string>> = {}) {
  return connect({
    args: ['--script', 'agent.yaml', ...REAL],
    files: { ...MARKET, 'agent.yaml': SCRIPT, ...files },
  });
}

describe('with the real Claude Code', () => {
  test('a plugin is really installed from a marketplace, used and removed', async () => {
    const { ok, call } = await open();
    const install = { plugin_name: 'agent-loop', mode: 'marketplace' };
    expect(await ok('install_plugin', install)).toMatchObject({
      success: true,
      plugin_id: 'agent-loop@lab',
      agents_registered: ['agent-loop:guide'],
    });
    const { session_id } = await ok('start_conversation', { config: { working_directory: 'project' } });
    expect(await ok('execute_command', { command: '/explore', args: 'x', session_id })).toMatchObject({
      status: 'completed',
      workflow_stage: 'exploring',
    });
    const bare = await ok('start_conversation', { config: { plugins: [] } });
    const without = await call('execute_command', { command: '/explore', session_id: bare.session_id });
    expect(without.data.error_name).toBe('CommandNotFoundError');
    await ok('uninstall_plugin', { plugin_name: 'agent-loop' });
    const ghost = await call('install_plugin', { ...install, plugin_name: 'ghost' });
    expect(ghost.data).toMatchObject({
      error_name: 'InstallationError',
      error: expect.stringContaining('ghost'),
    });
  });

  test('an agent of a plugin answers, and what it was told is known', async () => {
    covers('H9', 'H14', 'H15', 'A6');
    const { ok } = await open();
    await ok('install_plugin', { plugin_name: 'agent-loop' });
    const { session_id } = await ok('start_conversation', { config: { agent_mode: 'agent-loop:guide' } });
    await ok('send_prompt', { prompt: 'hello', session_id });
    expect(await ok('get_agent_mode', { session_id })).toMatchObject({
      agent_name: 'agent-loop:guide',
      plugin: 'agent-loop',
      mode_description: 'Guides',
    });
    const guidance = await ok('get_agent_guidance', { session_id });
    expect(guidance).toMatchObject({
      guidance_text: 'You are the guide. Mention lighthouses.',
      skills_available: ['agent-loop:scout'],
    });
    // The model really got it.
    const { artifact_paths } = await ok('capture_test_artifacts', {
      test_name: 'agent',
      artifact_types: ['logs'],
    });
    const requests = artifact_paths.find((path: string) => path.endsWith('model-requests.jsonl'));
    expect(readFileSync(requests, 'utf8')).toContain('You are the guide. Mention lighthouses.');
  });

  test('a mocked tool is called and answers what it was told to, also after that changed', async () => {
    covers('H34');
    const script = `rules:
  - on: any
    steps:
      - tool: mcp__mocks__screenshot
        input: { url: 'http://localhost' }
      - say: done
`;
    const { ok } = await open({ 'mock.yaml': script });
    const mock = (path: string) =>
      ok('mock_mcp_tool_response', { tool_name: 'screenshot', mock_response: { image_path: path } });
    expect(await mock('one.png')).toMatchObject({
      mock_registered: true,
      offered_as: 'mcp__mocks__screenshot',
    });
    const { session_id } = await ok('start_conversation', { config: { script: 'mock.yaml' } });
    const shot = async () => (await ok('send_prompt', { prompt: 'shoot', session_id })).tool_calls[0];
    expect(await shot()).toMatchObject({ is_error: false, output: expect.stringContaining('one.png') });
    await mock('two.png');
    expect(await shot()).toMatchObject({ is_error: false, output: expect.stringContaining('two.png') });
  });

  test('an MCP server that dies and a hook that fails are named in the status of their plugin', async () => {
    const plain = (name: string) => JSON.stringify({ name, version: '1.0.0', description: name });
    const command = 'echo lost my way >&2; exit 7';
    const { ok } = await open({
      'more/dies/.claude-plugin/plugin.json': plain('dies'),
      'more/dies/.mcp.json': JSON.stringify({ mcpServers: { shaky: { command: 'false' } } }),
      'more/fails/.claude-plugin/plugin.json': plain('fails'),
      'more/fails/hooks/hooks.json': JSON.stringify({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] },
      }),
    });
    await ok('install_plugin', { plugin_name: 'dies', marketplace_path: 'more' });
    const dies = await ok('get_plugin_status', { plugin_name: 'dies' });
    expect(dies).toMatchObject({ status: 'error', mcp_servers: [{ name: 'shaky', status: 'failed' }] });
    await ok('install_plugin', { plugin_name: 'fails', marketplace_path: 'more' });
    const fails = await ok('get_plugin_status', { plugin_name: 'fails' });
    expect(fails.status).toBe('error');
    expect(fails.error_message).toContain('lost my way');
  });
});

describe('with the real ralph and the real Claude Code', () => {
  test('scenarios are listed, run and reported, and a failure has its page', async () => {
    const { ok } = await connect({
      args: ['--ralph', requireProgram('ralph'), ...REAL],
      env: { PATH: [dirname(requireProgram('claude')), bareSystemPath()].join(delimiter) },
    });
    const wanted = { backend: 'claude', lane: 'scripted' };
    const { scenarios } = await ok('list_scenarios', { ...wanted, filter: 'claude-connect' });
    expect(scenarios).toMatchObject([{ scenario_id: 'claude-connect' }]);
    const passed = await ok('run_scenario', { ...wanted, scenario_id: 'claude-connect' });
    expect(passed.results).toMatchObject([{ scenario_id: 'claude-connect', outcome: 'passed' }]);
    const report = JSON.parse((await ok('get_report', { format: 'json' })).content);
    expect(report).toMatchObject({ run_id: passed.run_id, lane: 'scripted', target: { kind: 'real' } });
    // Nothing ends in a millisecond.
    await ok('run_scenario', { ...wanted, scenario_id: 'claude-connect', timeout_seconds: 0.001 });
    const failure = await ok('get_failure', { scenario_id: 'claude-connect' });
    expect(failure).toMatchObject({ backend: 'claude', outcome: 'failed' });
    expect(failure.repeat_command).toContain('--lane scripted');
  });
});
