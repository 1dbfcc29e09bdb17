import { expect, test } from 'vitest';
import { covers } from '../../coverage/covers.js';
import { testAssertions } from './tools/assertions.js';
import { testConversations } from './tools/conversations.js';
import { testEnvironment } from './tools/environment.js';
import { called, open } from './tools/opened.js';
import { testPlugins } from './tools/plugins.js';
import { testServers } from './tools/servers.js';
import { testTurns } from './tools/turns.js';
import { testWorkflow } from './tools/workflow.js';

/** The 34 tools of the user's document, in its order, and the 4 for runs. */
const TOOLS =
  `
  install_plugin uninstall_plugin list_plugins get_plugin_status
  execute_command get_command_output list_available_commands verify_command_expansion
  start_conversation send_prompt get_response get_conversation_history end_conversation
  get_agent_mode get_agent_guidance get_workflow_stage verify_agent_transition
  list_active_hooks trigger_hook get_hook_execution_log verify_hook_blocked_action
  create_test_project setup_git_repo create_sample_files reset_test_environment capture_test_artifacts
  assert_contains_keywords assert_workflow_transition assert_command_suggested assert_error_handled_gracefully
  start_mcp_server stop_mcp_server verify_mcp_communication mock_mcp_tool_response
  list_scenarios run_scenario get_report get_failure
`.match(/\S+/g) ?? [];

/** The tests that hold in every offline lane, with the stand-in as with the real Claude Code. */
export function testTools(args: readonly string[]): void {
  testPlugins(args);
  testWorkflow(args);
  testConversations(args);
  testTurns(args);
  testEnvironment(args);
  testAssertions(args);
  testServers(args);
}

/** Fails when a tool was never called with success by the tests before it. */
export function testEveryToolWasCalled(args: readonly string[], elsewhere: readonly string[]): void {
  test('every tool was called', async () => {
    covers('H36', 'H42');
    const { client } = await open(args);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([...TOOLS].sort());
    const missed = tools.map(({ name }) => name).filter((name) => !called.has(name));
    expect(missed).toEqual(elsewhere);
  });
}
