import { readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../coverage/covers.js';
import { connect } from './support/harness-client.js';
import { MARKET, SCRIPT } from './support/plugins.js';

const HUGE = 'x'.repeat(10 * 1024 * 1024);
const session_id = 'nobody';

/** A call with something wrong for each tool, and the name of the error that must come back. */
const BAD: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['install_plugin', { plugin_name: 'nowhere' }, 'PluginNotFoundError'],
  ['install_plugin', { plugin_name: 'nowhere', marketplace_path: null }, 'PluginNotFoundError'],
  ['install_plugin', { plugin_name: 'agent-loop', marketplace_path: '/etc' }, 'PathOutsideRootError'],
  ['install_plugin', { plugin_name: 'agent-loop', marketplace_path: 'no/folder' }, 'FileNotFoundError'],
  ['install_plugin', { plugin_name: 'agent-loop', mode: 'marketplace' }, 'UnsupportedError'],
  ['install_plugin', { plugin_name: 7 }, 'InvalidInputError'],
  ['uninstall_plugin', { plugin_name: 'nowhere' }, 'PluginNotFoundError'],
  ['list_plugins', { verbose: true }, 'InvalidInputError'],
  ['get_plugin_status', { plugin_name: 'nowhere' }, 'PluginNotFoundError'],
  ['execute_command', { command: '/plan', session_id }, 'SessionNotFoundError'],
  ['execute_command', { command: '-rf /', session_id: 7 }, 'InvalidInputError'],
  ['execute_command', { command: '/../x', session_id }, 'InvalidInputError'],
  ['get_command_output', { execution_id: 'nothing' }, 'ExecutionNotFoundError'],
  ['list_available_commands', { session_id }, 'SessionNotFoundError'],
  ['verify_command_expansion', { command: '' }, 'InvalidInputError'],
  ['start_conversation', { config: { working_directory: '..' } }, 'PathOutsideRootError'],
  ['start_conversation', { config: { working_directory: 'way-out' } }, 'PathOutsideRootError'],
  ['start_conversation', { config: { context_files: ['missing.md'] } }, 'FileNotFoundError'],
  ['start_conversation', { config: { script: 'missing.yaml' } }, 'FileNotFoundError'],
  ['start_conversation', { config: { plugins: ['nowhere'] } }, 'PluginNotFoundError'],
  ['start_conversation', { config: { colour: 'red' } }, 'InvalidInputError'],
  ['send_prompt', { prompt: 'hello', session_id }, 'SessionNotFoundError'],
  ['send_prompt', { prompt: HUGE, session_id }, 'InvalidInputError'],
  ['send_prompt', { prompt: '  ', session_id }, 'InvalidInputError'],
  ['send_prompt', { prompt: 'hello', session_id, timeout_ms: 'soon' }, 'InvalidInputError'],
  ['get_response', { response_id: 'nothing' }, 'ResponseNotFoundError'],
  ['get_conversation_history', { session_id, limit: -1 }, 'InvalidInputError'],
  ['get_conversation_history', { session_id }, 'SessionNotFoundError'],
  ['end_conversation', { session_id }, 'SessionNotFoundError'],
  ['get_agent_mode', { session_id }, 'SessionNotFoundError'],
  ['get_agent_guidance', { session_id }, 'SessionNotFoundError'],
  ['get_workflow_stage', { session_id }, 'SessionNotFoundError'],
  ['verify_agent_transition', { session_id, expected_stage: 'x' }, 'SessionNotFoundError'],
  ['list_active_hooks', { session_id }, 'SessionNotFoundError'],
  ['trigger_hook', { hook_name: 'pre-commit' }, 'HookNotFoundError'],
  ['get_hook_execution_log', { hook_name: 'pre-commit' }, 'HookNotFoundError'],
  ['verify_hook_blocked_action', { action_id: 'nothing' }, 'ActionNotFoundError'],
  [
    'create_test_project',
    { project_type: 'cli', language: 'python', output_path: '/etc/calc' },
    'PathOutsideRootError',
  ],
  [
    'create_test_project',
    { project_type: 'game', language: 'python', output_path: 'x' },
    'InvalidInputError',
  ],
  ['setup_git_repo', { project_path: 'missing' }, 'FileNotFoundError'],
  ['setup_git_repo', { project_path: 'way-out' }, 'PathOutsideRootError'],
  ['create_sample_files', { project_path: 'project', file_specs: 'all' }, 'InvalidInputError'],
  ['reset_test_environment', { force: true }, 'InvalidInputError'],
  ['capture_test_artifacts', { test_name: ' ' }, 'InvalidInputError'],
  ['capture_test_artifacts', { test_name: 'x', artifact_types: ['videos'] }, 'InvalidInputError'],
  ['assert_contains_keywords', { text: 'x', keywords: [] }, 'InvalidInputError'],
  ['assert_contains_keywords', { keywords: ['x'] }, 'InvalidInputError'],
  [
    'assert_workflow_transition',
    { from_stage: 'asleep', to_stage: 'awake', actual_stage: 'awake' },
    'NoWorkflowError',
  ],
  ['assert_command_suggested', { response: HUGE, command_name: 'plan' }, 'InvalidInputError'],
  ['assert_error_handled_gracefully', { response: 1, error_type: 'x' }, 'InvalidInputError'],
  [
    'start_mcp_server',
    { server_name: 'x', server_config: { type: 'http', url: 'http://localhost' } },
    'UnsupportedError',
  ],
  [
    'start_mcp_server',
    { server_name: 'x', server_config: { command: '/no/such/program' } },
    'ServerFailedError',
  ],
  ['start_mcp_server', { server_name: 'x', server_config: {} }, 'InvalidInputError'],
  ['stop_mcp_server', { server_id: 'nothing' }, 'ServerNotFoundError'],
  ['verify_mcp_communication', { server_id: 'nothing' }, 'ServerNotFoundError'],
  ['mock_mcp_tool_response', { tool_name: 'x', mock_response: {} }, 'UnsupportedError'],
  ['mock_mcp_tool_response', { tool_name: 'a b', mock_response: {} }, 'InvalidInputError'],
  ['list_scenarios', { filter: 'no such scenario' }, 'UsageError'],
  ['run_scenario', { scenario_id: 'no such scenario' }, 'UsageError'],
  ['get_report', { run_id: 'never' }, 'ReportNotFoundError'],
  ['get_failure', { scenario_id: 'x', run_id: 'never' }, 'ReportNotFoundError'],
  ['no_such_tool', {}, 'ToolNotFoundError'],
];

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
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).filter((name) => !BAD.some(([tool]) => tool === name))).toEqual([]);
    expect(await ok('list_plugins')).toEqual({ plugins: [], total: 0 });
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

function childrenOf(pid: number): number[] {
  // Elsewhere than on Linux the process itself has to do.
  if (process.platform !== 'linux') return [pid];
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text
    .split(' ')
    .filter((part) => part.trim() !== '')
    .map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
