import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { covers } from '../../coverage/covers.js';
import { CLI } from '../../support/cli.js';
import { connect, type HarnessClient } from './harness-client.js';
import { MARKET, SCRIPT } from './plugins.js';

const FILES = { ...MARKET, 'agent.yaml': SCRIPT };

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

/** The tools that the tests of a lane have called with success. */
const called = new Set<string>();

async function open(args: readonly string[]): Promise<HarnessClient> {
  const harness = await connect({ args: ['--script', 'agent.yaml', ...args], files: FILES });
  return {
    ...harness,
    ok: (name, input) => {
      called.add(name);
      return harness.ok(name, input);
    },
  };
}

/** A conversation with the plugin, in the project. */
async function talk({ ok }: HarnessClient): Promise<string> {
  await ok('install_plugin', { plugin_name: 'agent-loop' });
  const { session_id } = await ok('start_conversation', { config: { working_directory: 'project' } });
  return session_id;
}

/** The tests that hold in every offline lane, with the stand-in as with the real Claude Code. */
export function testTools(args: readonly string[]): void {
  describe('plugins', () => {
    test('are installed, listed, looked at and uninstalled', async () => {
      covers('H1', 'H2', 'H3', 'H4', 'H46', 'H77');
      const { ok, call } = await open(args);
      expect(await ok('install_plugin', { plugin_name: 'agent-loop', marketplace_path: '.' })).toMatchObject({
        success: true,
        loaded: true,
        status: 'loaded',
        plugin_id: 'agent-loop@inline',
        commands_registered: expect.arrayContaining(['/agent-loop:explore', '/agent-loop:plan']),
        hooks_registered: ['PreToolUse:Bash', 'UserPromptSubmit'],
        error: null,
      });
      expect(await ok('list_plugins')).toMatchObject({
        total: 1,
        plugins: [
          { plugin_name: 'agent-loop', version: '1.2.0', component_counts: { commands: 3, hooks: 2 } },
        ],
      });
      expect(await ok('get_plugin_status', { plugin_name: 'agent-loop' })).toMatchObject({
        status: 'loaded',
        error_message: null,
        commands: expect.arrayContaining([
          { name: 'agent-loop:plan', aliases: [], file: 'commands/plan.md', available: true },
        ]),
      });
      expect(await ok('uninstall_plugin', { plugin_name: 'agent-loop' })).toEqual({
        success: true,
        components_removed: { agents: 1, commands: 3, hooks: 2, mcp_servers: 0 },
        error: null,
      });
      expect(await ok('list_plugins')).toEqual({ plugins: [], total: 0 });
      expect(await ok('get_plugin_status', { plugin_name: 'agent-loop' })).toMatchObject({
        status: 'not_installed',
      });
      const again = await call('start_conversation', { config: { plugins: ['agent-loop'] } });
      expect(again.data.error_name).toBe('PluginNotFoundError');
    });

    test.each([
      ['bad-manifest', /plugin\.json/],
      ['bad-hooks', /hooks/],
      ['ghost', /ghost/],
    ])('that are broken are reported with the cause: %s', async (plugin_name, cause) => {
      const { ok } = await open(args);
      const installed = await ok('install_plugin', { plugin_name });
      expect(installed).toMatchObject({ success: false, status: 'error', error_name: 'PluginInvalidError' });
      const status = await ok('get_plugin_status', { plugin_name });
      expect(status.status).toBe('error');
      expect(status.error_message).toMatch(cause);
    });
  });

  describe('a conversation', () => {
    test('goes through the stages of its workflow, shown by what really happened', async () => {
      covers(
        'H5',
        'H6',
        'H7',
        'H8',
        'H9',
        'H12',
        'H13',
        'H16',
        'H17',
        'H48',
        'C14',
        'C16',
        'C61',
        'C62',
        'C64',
        'A3',
        'A5',
        'A8',
      );
      const harness = await open(args);
      const { ok, root } = harness;
      const session_id = await talk(harness);
      const commands = await ok('list_available_commands', { session_id, filter_by_plugin: 'agent-loop' });
      expect(commands.commands.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(['/agent-loop:code', '/agent-loop:explore', '/agent-loop:plan']),
      );
      expect(await ok('get_workflow_stage', { session_id })).toMatchObject({ stage: 'idle' });
      expect(
        await ok('verify_command_expansion', { command: '/explore', session_id, args: 'it' }),
      ).toMatchObject({
        valid: true,
        command_name: '/agent-loop:explore',
        plugin: 'agent-loop',
        available: true,
        expanded: 'Explore it now.\n',
      });
      expect(await ok('verify_command_expansion', { command: 'dance', session_id })).toMatchObject({
        valid: false,
      });

      const explored = await ok('execute_command', { command: 'explore', args: 'files', session_id });
      expect(explored).toMatchObject({
        command: '/agent-loop:explore',
        status: 'completed',
        response: 'STAGE: exploring. I saw files. Next is /agent-loop:plan',
        workflow_stage: 'exploring',
        tool_calls: [
          {
            tool_name: 'Read',
            is_error: false,
            started_at: expect.stringMatching(/^\d{4}-/),
            duration_ms: expect.any(Number),
          },
        ],
        usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
        cost_usd: expect.any(Number),
        error: null,
      });
      expect(await ok('get_command_output', { execution_id: explored.execution_id })).toMatchObject({
        status: 'completed',
        complete: true,
        response: explored.response,
      });
      expect(await ok('get_agent_guidance', { session_id })).toMatchObject({
        guidance_text: 'Explore files now.',
        workflow_stage: 'exploring',
      });
      const exploring = await ok('get_workflow_stage', { session_id });
      await ok('execute_command', { command: '/agent-loop:plan', session_id });
      const planning = await ok('get_workflow_stage', { session_id });
      expect(planning).toMatchObject({
        stage: 'planning',
        stage_actions_completed: ['PLAN.md was changed'],
        stage_actions_remaining: [],
      });
      await ok('execute_command', { command: '/code', session_id });
      expect(readFileSync(join(root, 'project/calculator.py'), 'utf8')).toContain('a + b');
      expect(await ok('get_workflow_stage', { session_id })).toMatchObject({
        stage: 'coding',
        workflow: 'agent-loop',
        allowed_transitions: ['committing', 'planning'],
        stage_actions_completed: ['Edit was used'],
        stage_actions_remaining: [],
        proofs: ['commanded', 'observed'],
      });
      const transition = { session_id, expected_stage: 'coding' };
      expect(await ok('verify_agent_transition', { ...transition, from_stage: 'planning' })).toMatchObject({
        valid: true,
        transition_trigger: '/agent-loop:code',
      });
      expect(await ok('verify_agent_transition', { ...transition, from_stage: 'idle' })).toMatchObject({
        valid: false,
        previous_stage: 'planning',
      });
      expect(await ok('get_agent_mode', { session_id })).toMatchObject({
        agent_name: 'default',
        mode_context: { current_stage: 'coding', stages_completed: ['idle', 'exploring', 'planning'] },
      });

      const history = await ok('get_conversation_history', { session_id, limit: 2, offset: 2 });
      expect(history).toMatchObject({
        total_turns: 6,
        turns: [
          { turn_number: 3, role: 'user', content: '/agent-loop:plan' },
          { turn_number: 4, role: 'assistant', content: 'Next is /code', workflow_stage: 'planning' },
        ],
      });
      const ended = await ok('end_conversation', { session_id });
      expect(ended).toMatchObject({ total_turns: 6, history_saved: true });
      const whole = await ok('get_conversation_history', { session_id });
      const answers = whole.turns.filter(({ role }: { role: string }) => role === 'assistant');
      const outputs = answers.map((turn: { usage: { output_tokens: number } }) => turn.usage.output_tokens);
      expect(Math.min(...outputs)).toBeGreaterThan(0);
      expect(ended.usage.output_tokens).toBe(outputs.reduce((sum: number, one: number) => sum + one, 0));
      const saved = JSON.parse(readFileSync(ended.history_path, 'utf8'));
      expect(saved).toMatchObject({
        session_id,
        workflow: 'agent-loop',
        stage: 'coding',
        agent_mode: 'default',
        working_directory: join(root, 'project'),
        plugins: [{ name: 'agent-loop' }],
        created_at: expect.stringMatching(/^\d{4}-/),
      });
      const sent = saved.turns.filter(({ role }: { role: string }) => role === 'user');
      expect(sent.map(({ content }: { content: string }) => content)).toEqual([
        '/agent-loop:explore files',
        '/agent-loop:plan',
        '/agent-loop:code',
      ]);
      // A stage is entered when a turn shows it.
      const [first, second] = answers.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
      expect(Date.parse(planning.stage_entry_time)).toBeGreaterThanOrEqual(second);
      expect(Date.parse(exploring.stage_entry_time)).toBeGreaterThanOrEqual(first);
      expect(Date.parse(exploring.stage_entry_time)).toBeLessThan(second);
      // Each stage ends when the next one begins.
      const { stage_visits } = saved;
      expect(stage_visits.map(({ stage, trigger }: Record<string, unknown>) => [stage, trigger])).toEqual([
        ['idle', null],
        ['exploring', '/agent-loop:explore'],
        ['planning', '/agent-loop:plan'],
        ['coding', '/agent-loop:code'],
      ]);
      const entered = stage_visits.map((visit: { entered_at: string }) => visit.entered_at);
      expect(entered.slice(1, 3)).toEqual([exploring.stage_entry_time, planning.stage_entry_time]);
      expect(stage_visits.map((visit: { left_at: string }) => visit.left_at)).toEqual([
        ...entered.slice(1),
        null,
      ]);
    });

    test('tells what a stage still lacks', async () => {
      covers('H16', 'A8');
      const { ok, root } = await open(args);
      writeFileSync(join(root, 'idle.yaml'), 'rules:\n  - { on: any, say: Done. }\n');
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      const { session_id } = await ok('start_conversation', { config: { script: 'idle.yaml' } });
      expect(await ok('get_workflow_stage', { session_id })).toMatchObject({ stage: 'idle' });
      await ok('execute_command', { command: '/explore', session_id });
      expect(await ok('get_workflow_stage', { session_id })).toMatchObject({
        stage: 'exploring',
        stage_actions_completed: [],
        stage_actions_remaining: [expect.stringContaining('read')],
        proofs: ['commanded'],
      });
    });

    test('tells what a hook blocked, and in what', async () => {
      covers('H18', 'H19', 'H20', 'H21', 'A9', 'A10');
      const harness = await open(args);
      const { ok } = harness;
      const session_id = await talk(harness);
      const looked = await ok('send_prompt', { prompt: 'look at the folder', session_id });
      const pushed = await ok('send_prompt', { prompt: 'push it', session_id });
      const forbidden = await ok('send_prompt', { prompt: 'a forbidden thing', session_id });
      expect(forbidden).toMatchObject({ status: 'error', error: 'blocked by a hook: a bad word' });
      const check = (action_id: string) => ok('verify_hook_blocked_action', { action_id });
      expect(await check(pushed.tool_calls[0].id)).toMatchObject({
        blocked: true,
        hook_name: 'PreToolUse:Bash',
        block_reason: 'no pushing',
      });
      expect(await check(forbidden.response_id)).toMatchObject({ blocked: true, block_reason: 'a bad word' });
      expect(await check(looked.tool_calls[0].id)).toMatchObject({ blocked: false });

      const log = await ok('get_hook_execution_log', { hook_name: 'PreToolUse:Bash' });
      expect(log.executions.map(({ status }: { status: string }) => status)).toEqual(['success', 'blocked']);
      expect(log.executions[1].event_payload).toMatchObject({ tool_input: { command: 'git push' } });
      const hooks = await ok('list_active_hooks', { session_id });
      expect(
        hooks.hooks.map((hook: Record<string, unknown>) => [hook.hook_name, hook.execution_count]),
      ).toEqual([
        ['PreToolUse:Bash', 2],
        ['UserPromptSubmit', 3],
      ]);
      const trigger = (command: string) =>
        ok('trigger_hook', { hook_name: 'PreToolUse:Bash', payload: { tool_input: { command } } });
      expect(await trigger('git push')).toMatchObject({
        status: 'blocked',
        action_blocked: true,
        error: 'no pushing',
      });
      const passed = await trigger('ls');
      expect(passed).toMatchObject({ status: 'success', action_blocked: false });
      // The variable was set: the handler was told where its plugin lies.
      expect(passed.output).toContain('/plugins/agent-loop');
    });

    test('can be polled, and outlives a turn that takes too long', async () => {
      covers('H6', 'H10', 'H11', 'C15', 'A2', 'A4');
      const harness = await open(args);
      const { ok, call } = harness;
      const session_id = await talk(harness);
      const sent = await ok('send_prompt', { prompt: 'hello', session_id, wait_for_response: false });
      await expect
        .poll(async () => (await ok('get_response', { response_id: sent.response_id })).status, {
          timeout: 50_000,
        })
        .toBe('complete');
      const started = await ok('execute_command', {
        ...{ command: '/explore', args: 'files', session_id, wait_for_completion: false },
      });
      expect(started).toMatchObject({ status: 'pending', response: null });
      const { execution_id } = started;
      await expect
        .poll(async () => (await ok('get_command_output', { execution_id })).complete, { timeout: 50_000 })
        .toBe(true);
      expect(await ok('get_command_output', { execution_id })).toMatchObject({
        status: 'completed',
        response: expect.stringContaining('I saw files'),
      });
      const late = await ok('send_prompt', { prompt: 'take your time', session_id, timeout_ms: 500 });
      expect(late).toMatchObject({ status: 'error', error_name: 'PromptTimeoutError' });
      expect(late.error).toContain('The session goes on.');
      const next = await ok('send_prompt', { prompt: 'hello again', session_id });
      expect(next).toMatchObject({ status: 'complete', response_text: 'You are back.' });

      await ok('send_prompt', { prompt: 'take your time', session_id, wait_for_response: false });
      const early = await call('send_prompt', { prompt: 'too early', session_id });
      expect([early.failed, early.data.error_name]).toEqual([true, 'StateTransitionError']);
    });

    test('tells an error of the service from an answer', async () => {
      const harness = await open(args);
      const session_id = await talk(harness);
      const failed = await harness.ok('send_prompt', { prompt: 'overload', session_id });
      expect(failed).toMatchObject({ status: 'error', error_name: 'BackendUnavailableError' });
    });

    test('does not mix with another one', async () => {
      covers('H47', 'H52', 'H54');
      const { ok, root } = await open(args);
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      const own = (word: string) => `rules:\n  - on: any\n    say: "${word} {{prompt}}"\n`;
      writeFileSync(join(root, 'one.yaml'), own('One heard'));
      writeFileSync(join(root, 'two.yaml'), own('Two heard'));
      const start = (script: string, plugins?: string[]) =>
        ok('start_conversation', { config: { script, ...(plugins === undefined ? {} : { plugins }) } });
      const [one, two] = await Promise.all([start('one.yaml'), start('two.yaml', [])]);
      expect(one.session_id).not.toBe(two.session_id);
      expect(one.working_directory).not.toBe(two.working_directory);
      const say = (session_id: string, prompt: string) => ok('send_prompt', { session_id, prompt });
      const answers = await Promise.all([say(one.session_id, 'apples'), say(two.session_id, 'pears')]);
      expect(answers.map(({ response_text }) => response_text)).toEqual([
        'One heard apples',
        'Two heard pears',
      ]);
      const [first, second] = await Promise.all(
        [one, two].map(({ session_id }) => ok('get_conversation_history', { session_id })),
      );
      expect([first.total_turns, second.total_turns]).toEqual([2, 2]);
      // The hooks of the plugin ran in the one that has it alone.
      const ran = async ({ session_id }: { session_id: string }) =>
        (await ok('list_active_hooks', { session_id })).hooks.length;
      expect([await ran(one), await ran(two)]).toEqual([2, 0]);
      await ok('end_conversation', { session_id: one.session_id, save_history: false });
      expect((await say(two.session_id, 'plums')).response_text).toBe('Two heard plums');
    });
  });

  describe('the environment', () => {
    test('is made, captured and reset', async () => {
      covers('H22', 'H23', 'H24', 'H25', 'H26', 'H51', 'H53', 'H81', 'H83', 'H87');
      const { ok, call, root } = await open(args);
      const project = await ok('create_test_project', {
        project_type: 'cli',
        language: 'python',
        output_path: join(root, 'calc'),
        project_name: 'Calculator App',
      });
      expect(project).toMatchObject({ status: 'success', project_path: join(root, 'calc') });
      expect(project.files_created).toContain('README.md');
      const spec = { path: 'src/new/buggy.py', content: 'x = 1\n' };
      const outside = { path: '../evil.py', content: '' };
      expect(
        await ok('create_sample_files', { project_path: 'calc', file_specs: [spec, outside] }),
      ).toMatchObject({
        status: 'success',
        files_created: 1,
        errors: [expect.stringContaining('../evil.py')],
      });
      expect(existsSync(join(root, 'evil.py'))).toBe(false);
      const repo = await ok('setup_git_repo', { project_path: 'calc' });
      expect(repo.commit_hash).toMatch(/^[0-9a-f]{8}$/);
      expect(repo.files_tracked).toBe(project.total_files + 1);

      writeFileSync(join(root, 'calc/shot.png'), 'a picture');
      await ok('install_plugin', { plugin_name: 'agent-loop' });
      const { session_id } = await ok('start_conversation', { config: { working_directory: 'calc' } });
      await ok('send_prompt', { prompt: 'hello', session_id });
      const captured = await ok('capture_test_artifacts', {
        test_name: 'first',
        artifact_types: ['logs', 'screenshots', 'session_state', 'git_diffs'],
      });
      expect(captured.artifacts_dir).toMatch(/first_\d{8}_\d{6}$/);
      const kept = (part: string) => captured.artifact_paths.find((path: string) => path.includes(part));
      expect(readFileSync(kept('stdout.txt'), 'utf8')).toContain('You said hello.');
      expect(readFileSync(kept('shot.png'), 'utf8')).toBe('a picture');
      expect(readFileSync(kept('git_diffs'), 'utf8')).toContain('?? shot.png');
      expect(JSON.parse(readFileSync(kept('session_state'), 'utf8')).turns).toHaveLength(2);

      expect(await ok('reset_test_environment')).toMatchObject({
        status: true,
        projects_cleaned: true,
        sessions_cleaned: true,
        volumes_cleaned: true,
        removed: { projects: 1, sessions: 1, plugins: 1 },
      });
      expect(existsSync(join(root, 'calc'))).toBe(false);
      expect(await ok('list_plugins')).toEqual({ plugins: [], total: 0 });
      const gone = await call('send_prompt', { prompt: 'hello', session_id });
      expect(gone.data.error_name).toBe('SessionNotFoundError');
      expect(existsSync(join(root, 'project'))).toBe(true);
    });
  });

  describe('assertions', () => {
    test('judge texts and stages', async () => {
      covers('H27', 'H28', 'H29', 'H30', 'H49');
      const { ok } = await open(args);
      expect(
        await ok('assert_contains_keywords', { text: 'the latest plans', keywords: ['test', 'plan'] }),
      ).toMatchObject({
        passed: true,
        found_keywords: ['plan'],
        missing_keywords: ['test'],
        match_ratio: 0.5,
      });
      const both = { text: 'the latest plans', keywords: ['test', 'plan'], require_all: true };
      expect(await ok('assert_contains_keywords', both)).toMatchObject({ passed: false });
      const step = { from_stage: 'exploring', to_stage: 'planning', actual_stage: 'planning' };
      expect(await ok('assert_workflow_transition', step)).toMatchObject({ passed: true, valid: true });
      expect(await ok('assert_workflow_transition', { ...step, from_stage: 'idle' })).toMatchObject({
        passed: false,
        valid: false,
      });
      expect(
        await ok('assert_command_suggested', { response: 'Now run /agent-loop:plan.', command_name: 'plan' }),
      ).toMatchObject({ passed: true, command_found: '/agent-loop:plan', location: 8 });
      expect(
        await ok('assert_command_suggested', { response: 'Now I plan ahead.', command_name: 'plan' }),
      ).toMatchObject({ passed: false, command_found: null, location: -1 });
      expect(
        await ok('assert_error_handled_gracefully', {
          response: 'Everything went well.',
          error_type: 'file_not_found',
        }),
      ).toMatchObject({ passed: false });
      expect(
        await ok('assert_error_handled_gracefully', {
          response: 'I could not find that file: it does not exist. Let us check the folder.',
          error_type: 'file_not_found',
        }),
      ).toMatchObject({ passed: true, graceful: true, recovery_suggested: true, suggests_recovery: true });
    });
  });

  describe('MCP servers', () => {
    test('are started, asked and stopped', async () => {
      covers('H31', 'H32', 'H33', 'H53');
      const { ok, call, root } = await open(args);
      const tool = { description: 'Greets', answers: [{ text: 'hello' }] };
      writeFileSync(
        join(root, 'stub.json'),
        JSON.stringify({ name: 'stub', tools: { greet: tool, wave: tool } }),
      );
      const server_config = { command: process.execPath, args: [CLI, 'mcp-stub', '--script', 'stub.json'] };
      const { server_id, pid } = await ok('start_mcp_server', {
        server_name: 'browser-tools',
        server_config,
      });
      expect(server_id).toMatch(/^mcp_browser_tools_[0-9a-f]{8}$/);
      expect(isAlive(pid)).toBe(true);
      expect(await ok('verify_mcp_communication', { server_id })).toMatchObject({
        status: 'success',
        responding: true,
        tools_available: 2,
        tool_names: ['greet', 'wave'],
      });
      expect(await ok('stop_mcp_server', { server_id })).toMatchObject({
        status: true,
        stopped: true,
        cleaned: true,
      });
      expect(isAlive(pid)).toBe(false);
      const dead = await call('start_mcp_server', {
        server_name: 'dead',
        server_config: { command: 'false' },
      });
      expect(dead).toMatchObject({ failed: true, data: { error_name: 'ServerFailedError' } });
    });
  });
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
