import { describe, expect, test } from 'vitest';
import { connect, type HarnessClient } from './support/harness-client.js';

const step = { from_stage: 'idle', to_stage: 'exploring', actual_stage: 'exploring' };
const project = { project_type: 'cli', language: 'python', output_path: 'calc' };
const error_type = 'file_not_found';

type Calls = Readonly<Record<string, readonly [Record<string, unknown>, object]>>;
const failsWith = (error_name: string) => ({ error_name });

/** A plain call of each tool in a root in which nothing is, and what comes back. */
const EMPTY: Calls = {
  install_plugin: [{ plugin_name: 'p' }, failsWith('PluginNotFoundError')],
  uninstall_plugin: [{ plugin_name: 'p' }, failsWith('PluginNotFoundError')],
  list_plugins: [{}, { plugins: [], total: 0 }],
  get_plugin_status: [{ plugin_name: 'p' }, failsWith('PluginNotFoundError')],
  execute_command: [{ command: '/p', session_id: 's' }, failsWith('SessionNotFoundError')],
  get_command_output: [{ command_id: 'c' }, failsWith('ExecutionNotFoundError')],
  list_available_commands: [{}, { commands: [], total: 0 }],
  verify_command_expansion: [{ command: '/p' }, { valid: false, expanded: null }],
  start_conversation: [{}, failsWith('UsageError')],
  send_prompt: [{ prompt: 'hello', session_id: 's' }, failsWith('SessionNotFoundError')],
  get_response: [{ response_id: 'r' }, failsWith('ResponseNotFoundError')],
  get_conversation_history: [{ session_id: 's' }, failsWith('SessionNotFoundError')],
  end_conversation: [{ session_id: 's' }, failsWith('SessionNotFoundError')],
  get_agent_mode: [{ session_id: 's' }, failsWith('SessionNotFoundError')],
  get_agent_guidance: [{ session_id: 's' }, failsWith('SessionNotFoundError')],
  get_workflow_stage: [{ session_id: 's' }, failsWith('SessionNotFoundError')],
  verify_agent_transition: [{ session_id: 's', expected_stage: 'x' }, failsWith('SessionNotFoundError')],
  list_active_hooks: [{}, { hooks: [], total: 0 }],
  trigger_hook: [{ hook_name: 'Stop', payload: {} }, failsWith('HookNotFoundError')],
  get_hook_execution_log: [{ hook_name: 'Stop' }, failsWith('HookNotFoundError')],
  verify_hook_blocked_action: [{ action_id: 'a' }, failsWith('ActionNotFoundError')],
  create_sample_files: [
    { project_path: 'calc', file_specs: [{ path: 'a', content: '' }] },
    failsWith('FileNotFoundError'),
  ],
  setup_git_repo: [{ project_path: 'calc' }, failsWith('FileNotFoundError')],
  create_test_project: [project, { status: 'success' }],
  capture_test_artifacts: [{ test_name: 't' }, { files_captured: 0, artifact_paths: [] }],
  assert_contains_keywords: [
    { text: '', keywords: ['x'] },
    { passed: false, match_ratio: 0 },
  ],
  assert_workflow_transition: [step, { passed: true }],
  assert_command_suggested: [{ response: '', command_name: '/x' }, { passed: false }],
  assert_error_handled_gracefully: [{ response: '', error_type }, { passed: false }],
  start_mcp_server: [
    { server_name: 's', server_config: { command: 'true' } },
    failsWith('ServerFailedError'),
  ],
  stop_mcp_server: [{ server_id: 's' }, failsWith('ServerNotFoundError')],
  verify_mcp_communication: [{ server_id: 's' }, failsWith('ServerNotFoundError')],
  mock_mcp_tool_response: [{ tool_name: 't', mock_response: {} }, failsWith('UnsupportedError')],
  reset_test_environment: [{}, { status: true, removed: { projects: 1, sessions: 0, plugins: 0 } }],
};

/** A call of each tool that takes a session, when the agent of that session was killed. */
const DEAD = (session_id: string): Calls => ({
  execute_command: [{ command: '/p:wait', session_id }, failsWith('StateTransitionError')],
  send_prompt: [{ prompt: 'hello', session_id }, failsWith('StateTransitionError')],
  list_available_commands: [{ session_id }, { commands: expect.any(Array) }],
  verify_command_expansion: [{ command: '/p:wait', session_id }, { valid: true }],
  get_conversation_history: [{ session_id }, { total_turns: 2 }],
  get_agent_mode: [{ session_id }, { agent_name: 'default' }],
  get_agent_guidance: [{ session_id }, { agent_name: 'default' }],
  get_workflow_stage: [{ session_id }, failsWith('NoWorkflowError')],
  verify_agent_transition: [{ session_id, expected_stage: 'x' }, failsWith('NoWorkflowError')],
  list_active_hooks: [{ session_id }, { total: 1 }],
  get_hook_execution_log: [
    { hook_name: 'Notification', session_id },
    { executions: [], total: 0 },
  ],
  trigger_hook: [{ hook_name: 'Notification', session_id }, { status: 'success' }],
  end_conversation: [{ session_id }, { total_turns: 2, history_saved: true }],
});

async function expectAll({ call }: HarnessClient, calls: Calls): Promise<void> {
  for (const [name, [input, expected]] of Object.entries(calls)) {
    const { failed, data } = await call(name, input);
    expect({ name, failed, data }).toMatchObject({ name, failed: 'error_name' in expected, data: expected });
    // Names that are in the schema may be null, but nothing is left out.
    if (failed) expect(data.error.length).toBeGreaterThan(10);
  }
}

describe('each tool tells the truth', () => {
  test('in a root in which nothing is', async () => {
    const harness = await connect({ args: ['--lane', 'sim'] });
    const { tools } = await harness.client.listTools();
    const harnessTools = ['list_scenarios', 'run_scenario', 'get_report', 'get_failure'];
    const names = tools.map(({ name }) => name).filter((name) => !harnessTools.includes(name));
    expect(Object.keys(EMPTY).sort()).toEqual(names.sort());
    expect(names).toHaveLength(34);
    await expectAll(harness, EMPTY);
  });

  test.skipIf(process.platform !== 'linux')('in a conversation whose agent was killed', async () => {
    const hooks = { Notification: [{ hooks: [{ type: 'command', command: 'echo hooked' }] }] };
    const harness = await connect({
      args: ['--lane', 'sim', '--script', 'agent.yaml'],
      files: {
        'agent.yaml': "rules: [{ on: any, steps: [{ run: 'kill -9 $PPID' }, { say: never }] }]\n",
        'p/.claude-plugin/plugin.json': '{"name":"p","version":"1.0.0"}',
        'p/commands/wait.md': 'Wait.\n',
        'p/hooks/hooks.json': JSON.stringify({ hooks }),
      },
    });
    await harness.ok('install_plugin', { plugin_name: 'p' });
    const { session_id } = await harness.ok('start_conversation');
    const killed = await harness.ok('send_prompt', { prompt: 'die', session_id });
    expect(killed).toMatchObject({ status: 'error', error_name: 'BackendUnavailableError' });
    const { tools } = await harness.client.listTools();
    const withSession = tools.filter(({ inputSchema }) => 'session_id' in (inputSchema.properties ?? {}));
    const calls = DEAD(session_id);
    expect(Object.keys(calls).sort()).toEqual(withSession.map(({ name }) => name).sort());
    await expectAll(harness, calls);
    const { data } = await harness.call('send_prompt', { prompt: 'hello', session_id });
    expect(data.error).toContain('this one has ended: its agent CLI exited');
    expect(data.hint).toContain('start_conversation');
    const command = await harness.call('execute_command', { command: '/p:wait', session_id });
    expect(command.data.error).toBe(data.error);
    expect(data.error).toMatch(/^A prompt or command needs a conversation that runs/);
    const again = await harness.ok('get_response', { response_id: killed.response_id });
    expect(again).toMatchObject({ status: 'error', error: killed.error });
  });
});
