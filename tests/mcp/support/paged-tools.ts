import { basename } from 'node:path';
import { CLI } from '../../support/cli.js';
import type { HarnessClient } from './harness-client.js';

type Input = Record<string, unknown>;

/** A tool that returns lists in pages. */
interface PagedTool {
  /** Each list with the path to its total. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** Makes at least three entries in each list, and returns the input of the call. */
  readonly prepare: (harness: HarnessClient) => Promise<Input>;
  /** What identifies an entry, if two calls do not return it alike. */
  readonly identify?: (entry: never) => unknown;
  /** Whether the pages begin at the end of the list. */
  readonly newestLast?: true;
}

const NAMES = ['one', 'two', 'three'] as const;
const each = <Value>(make: (name: string) => readonly [string, Value]) => Object.fromEntries(NAMES.map(make));
const handler = { hooks: [{ type: 'command', command: ':' }] };
const WAVE = { description: 'Waves', answers: [{ text: 'hello' }] };

/** Three plugins, of which the first has three parts of each kind; and an agent that calls three tools. */
export const PAGED_FILES: Readonly<Record<string, string>> = {
  ...each((name) => [`${name}/.claude-plugin/plugin.json`, JSON.stringify({ name, version: '1.0.0' })]),
  ...each((name) => [`one/commands/${name}.md`, 'Do three things.\n']),
  ...each((name) => [`one/agents/${name}.md`, `---\nname: ${name}\ndescription: Helps\n---\nHelp.\n`]),
  ...each((name) => [`one/skills/s-${name}/SKILL.md`, '---\ndescription: Helps\n---\nHelp.\n']),
  'one/hooks/hooks.json': JSON.stringify({
    hooks: { UserPromptSubmit: [handler], Stop: [handler], SessionStart: [handler] },
  }),
  'one/.mcp.json': JSON.stringify({ mcpServers: each((name) => [name, { command: 'played-by-a-stub' }]) }),
  'stub.json': JSON.stringify({ name: 'stub', tools: each((name) => [name, WAVE]) }),
  'agent.yaml':
    'rules:\n  - on: Do three things\n    steps: [{run: echo 1}, {run: echo 2}, {run: echo 3}, {say: Done.}]\n',
};

const install = ({ ok }: HarnessClient) =>
  ok('install_plugin', {
    plugin_name: 'one',
    stubs: each((name) => [name, { tools: { wave: WAVE } }]),
  });

async function talk(harness: HarnessClient): Promise<string> {
  await install(harness);
  return (await harness.ok('start_conversation')).session_id;
}

export const PAGED_TOOLS: Readonly<Record<string, PagedTool>> = {
  list_plugins: {
    lists: { plugins: ['total'] },
    prepare: async (harness) => {
      await install(harness);
      for (const plugin_name of ['two', 'three']) await harness.ok('install_plugin', { plugin_name });
      return {};
    },
  },
  get_plugin_status: {
    lists: {
      agents: ['totals', 'agents'],
      commands: ['totals', 'commands'],
      skills: ['totals', 'skills'],
      hooks: ['totals', 'hooks'],
      mcp_servers: ['totals', 'mcp_servers'],
    },
    prepare: async (harness) => {
      await install(harness);
      return { plugin_name: 'one' };
    },
  },
  list_available_commands: {
    lists: { commands: ['total'] },
    prepare: async (harness) => {
      await install(harness);
      return {};
    },
  },
  get_command_output: {
    lists: { tool_calls: ['total_tool_calls'] },
    prepare: async (harness) => {
      const session_id = await talk(harness);
      const { execution_id } = await harness.ok('execute_command', { command: '/one', session_id });
      return { execution_id };
    },
  },
  get_response: {
    lists: { tool_calls: ['total_tool_calls'] },
    prepare: async (harness) => {
      const session_id = await talk(harness);
      const { response_id } = await harness.ok('send_prompt', { prompt: 'Do three things', session_id });
      return { response_id };
    },
  },
  get_conversation_history: {
    lists: { turns: ['total_turns'] },
    prepare: async (harness) => {
      const session_id = await talk(harness);
      for (const _ of [1, 2]) await harness.ok('send_prompt', { prompt: 'Do three things', session_id });
      return { session_id };
    },
  },
  get_agent_guidance: {
    lists: { skills_available: ['totals', 'skills'], commands_available: ['totals', 'commands'] },
    prepare: async (harness) => ({ session_id: await talk(harness) }),
  },
  list_active_hooks: {
    lists: { hooks: ['total'] },
    prepare: async (harness) => {
      await install(harness);
      return {};
    },
  },
  get_hook_execution_log: {
    lists: { executions: ['total'] },
    newestLast: true,
    prepare: async (harness) => {
      await install(harness);
      for (const _ of NAMES) await harness.ok('trigger_hook', { hook_name: 'UserPromptSubmit' });
      return { hook_name: 'UserPromptSubmit' };
    },
  },
  capture_test_artifacts: {
    lists: { artifact_paths: ['files_captured'] },
    // Each call has a folder of its own.
    identify: (path) => basename(path),
    prepare: async ({ ok }) => {
      for (const _ of NAMES) await ok('start_conversation');
      return { test_name: 'pages', artifact_types: ['session_state'] };
    },
  },
  verify_mcp_communication: {
    lists: { tool_names: ['tools_available'] },
    prepare: async ({ ok }) => {
      const args = [CLI, 'sim', 'mcp', '--script', 'stub.json'];
      const server_config = { command: process.execPath, args };
      const { server_id } = await ok('start_mcp_server', { server_name: 'stub', server_config });
      return { server_id };
    },
  },
  list_scenarios: { lists: { scenarios: ['total'] }, prepare: async () => ({ filter: 'connect' }) },
  run_scenario: {
    lists: { results: ['total_results'] },
    identify: ({ scenario_id, backend }: Input) => [scenario_id, backend],
    prepare: async () => ({ scenario_id: '*-connect' }),
  },
};

/** Lists that are returned whole, and why. */
export const WHOLE_LISTS: Readonly<Record<string, string>> = {
  'install_plugin.agents_registered': 'get_plugin_status has them in pages',
  'install_plugin.commands_registered': 'get_plugin_status has them in pages',
  'install_plugin.hooks_registered': 'get_plugin_status has them in pages',
  'install_plugin.mcp_servers_started': 'get_plugin_status has them in pages',
  'execute_command.tool_calls': 'get_command_output has them in pages',
  'send_prompt.tool_calls': 'get_response has them in pages',
  'start_conversation.plugins_active': 'list_plugins has them in pages',
  'get_workflow_stage.allowed_transitions': 'the workflow limits them',
  'get_workflow_stage.stage_actions_completed': 'the workflow limits them',
  'get_workflow_stage.stage_actions_remaining': 'the workflow limits them',
  'get_workflow_stage.proofs': 'there are three',
  'create_test_project.files_created': 'there are at most 20, and a total',
  'create_sample_files.errors': 'there is at most one for each file of the call',
  'reset_test_environment.left': 'what was not removed must be seen',
  'assert_contains_keywords.found_keywords': 'they are words of the call',
  'assert_contains_keywords.missing_keywords': 'they are words of the call',
  'assert_error_handled_gracefully.recovery_actions': 'they are words of the call',
  'run_scenario.report_paths': 'there is one for each format',
};
