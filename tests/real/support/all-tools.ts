import { expect } from 'vitest';
import * as z from 'zod';
import { CLI } from '../../support/cli.js';

/** What a call came back with. */
export const calledSchema = z.object({
  failed: z.boolean(),
  data: z.record(z.string(), z.unknown()),
});
export type Called = z.infer<typeof calledSchema>;
export type CallTool = (name: string, input: Record<string, unknown>) => Promise<Called>;

const NAME = 'agent-loop';

/** The files of a root in which every tool has something to do. */
export const EVERYTHING: Readonly<Record<string, string>> = {
  'agent.yaml': `rules:
  - { on: /Explore/, steps: [{ run: 'git status' }, { say: 'I look around. Next is /plan' }] }
  - { on: any, say: fine }
`,
  [`${NAME}/.claude-plugin/plugin.json`]: JSON.stringify({
    ...{ name: NAME, version: '1.0.0', description: 'Loops' },
  }),
  [`${NAME}/commands/explore.md`]: '---\ndescription: Explores\n---\nExplore $ARGUMENTS\n',
  [`${NAME}/hooks/hooks.json`]: JSON.stringify({
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 2' }] }] },
  }),
  'stub.json': JSON.stringify({
    name: 'stub',
    tools: { greet: { description: 'Greets', answers: [{ text: 'hi' }] } },
  }),
};

/** Calls the tools one after another, as a test of a plugin does. Returns the names of those that worked. */
export async function callEveryTool(call: CallTool): Promise<string[]> {
  const worked: string[] = [];
  const ok = async (name: string, input: Record<string, unknown>, expected: object) => {
    const { failed, data } = await call(name, input);
    expect({ name, failed, data }).toMatchObject({ name, failed: false, data: expected });
    worked.push(name);
    return data;
  };
  const server_config = { command: process.execPath, args: [CLI, 'sim', 'mcp', '--script', 'stub.json'] };
  const tool_name = 'screenshot';
  await ok('mock_mcp_tool_response', { tool_name, mock_response: { a: 1 } }, { mock_registered: true });
  await ok('install_plugin', { plugin_name: NAME, marketplace_path: null }, { status: 'loaded' });
  await ok('list_plugins', {}, { total: 1 });
  await ok('get_plugin_status', { plugin_name: NAME }, { status: 'loaded' });
  const project = { project_type: 'cli', language: 'python', output_path: 'calc', project_name: null };
  await ok('create_test_project', project, { status: 'success' });
  const file_specs = [{ path: 'src/more.py', content: 'x = 1\n' }];
  await ok('create_sample_files', { project_path: 'calc', file_specs }, { files_created: 1 });
  await ok('setup_git_repo', { project_path: 'calc' }, { status: 'success' });
  const config = { working_directory: 'calc' };
  const { session_id } = await ok('start_conversation', { config }, { plugins_active: [NAME] });
  await ok('list_available_commands', { session_id, filter_by_plugin: NAME }, { total: 1 });
  const command = '/explore the code';
  await ok('verify_command_expansion', { command, session_id }, { expanded: 'Explore the code\n' });
  const explored = await ok(
    'execute_command',
    { command, session_id },
    { status: 'completed', workflow_stage: 'exploring', usage: { output_tokens: expect.any(Number) } },
  );
  await ok('get_command_output', { command_id: explored.execution_id }, { complete: true });
  const prompt = 'Hello';
  const answer = await ok('send_prompt', { prompt, session_id }, { response_text: 'fine' });
  await ok('get_response', { response_id: answer.response_id }, { status: 'complete' });
  await ok('get_conversation_history', { session_id }, { total_turns: 4 });
  await ok('get_agent_mode', { session_id }, { agent_name: 'default' });
  await ok('get_agent_guidance', { session_id }, { guidance_text: 'Explore the code' });
  await ok('get_workflow_stage', { session_id }, { stage: 'exploring' });
  await ok('verify_agent_transition', { session_id, expected_stage: 'exploring' }, { valid: true });
  await ok('list_active_hooks', {}, { total: 1 });
  const [tool] = z.array(z.object({ id: z.string() })).parse(explored.tool_calls);
  await ok('verify_hook_blocked_action', { action_id: tool?.id }, { blocked: true });
  const hook_name = 'PreToolUse:Bash';
  await ok('trigger_hook', { hook_name, payload: {} }, { action_blocked: true });
  await ok('get_hook_execution_log', { hook_name }, { total: 2 });
  const response = 'I look around. Next is /plan';
  await ok('assert_contains_keywords', { text: response, keywords: ['look'] }, { passed: true });
  const step = { from_stage: 'coding', to_stage: 'complete', actual_stage: 'complete' };
  await ok('assert_workflow_transition', step, { passed: true });
  await ok('assert_command_suggested', { response, command_name: '/plan' }, { passed: true });
  const lost = 'That file was not found. Check the path and try again.';
  await ok(
    'assert_error_handled_gracefully',
    { response: lost, error_type: 'file_not_found' },
    { passed: true },
  );
  const { server_id } = await ok('start_mcp_server', { server_name: 's', server_config }, { port: null });
  await ok('verify_mcp_communication', { server_id }, { tool_names: ['greet'] });
  await ok('stop_mcp_server', { server_id }, { stopped: true });
  await ok('capture_test_artifacts', { test_name: 't[agent-loop]' }, { status: 'success' });
  await ok('end_conversation', { session_id }, { history_saved: true });
  await ok('uninstall_plugin', { plugin_name: NAME }, { success: true });
  await ok('reset_test_environment', {}, { status: true });
  return worked;
}
